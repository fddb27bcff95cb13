// SPDX-License-Identifier: Apache-2.0
// ga2_mm_harness: what ga2_mm does with every command, whatever the data, the array, requant and the surroundings.
//
// Shown     1 Cost: from the cycle after an accepted start on it is busy for exactly cost_matmul(length) cycles, for every length
//             from 1 to 65,535, transposed or not; done once, in the last of them. Never busy without a command; a start while
//             busy (the cycle of done included) changes nothing: the harness takes the operands of starts in idle cycles only.
//           2 Writes: row t of the product to d + t, each once, in the cycle in which its last element comes from requant; no other
//             row ever, and nothing without a command (one watched row stands for all).
//           3 Sums: what leaves the array for a column, in cycle N + 3 + column of each tile, is added up over the tiles
//             (transposed: taken alone) and handed to requant with the scale of the command; what comes back two cycles later is
//             that column's byte in the row that is written (one watched column stands for all).
//           4 The flags in flight and the codes of the step counters are what the position says, and nothing else: i_…
//           5 Ports: array and requant get at their own ports what this harness and ga2_mm_reads_harness look at, the array a step
//             in every busy cycle; what they answer there is what ga2_mm takes.
//           6 Protocol of the array, as systolic_flow_harness assumes it and in steps of its en: no row in use is loaded. A vector
//             enters from the cycle after row 0 was loaded: a_edge in ga2_mm_reads_harness.
// Time      A position is {tile, place}, place 0 … N − 1 for the elements of a tile and N for the cycle between two tiles. The harness
//           counts the position of reading, which begins with the command, and that of leaving, which begins N + 3 cycles later;
//           a cycle later a sum is a total, then a product, then a result that returns from requant.
// Build     N = 16 (task prove) and N = 8 (task small).
// Assumed   1 m_reset: rst is up in the first cycle. A chip is reset before it is used; later rst comes and goes at will.
//           2 m_length: a command has a length of at least 1. ga2 starts ga2_mm only for a legal instruction.
// Modelled  r_data, the sums of the array and what requant gives are free in every cycle (ga2_mm_free.sv).
`default_nettype none

module ga2_mm_harness #(
    parameter N = 16
) (
    input wire clk,
    input wire rst,
    input wire start,
    input wire transposed,
    input wire [15:0] d,
    input wire [15:0] a,
    input wire [15:0] b,
    input wire [15:0] length,
    input wire [15:0] multiplier,
    input wire [5:0] shift,
    input wire [8*N-1:0] r_data
);
    `include "cost.svh"
    localparam LW = $clog2(N);
    localparam SW = $clog2(N + 4);

    (* anyconst *) reg [15:0] watched_row;
    (* anyconst *) reg [LW-1:0] column;

    wire busy, done, r_en, r_by_column, w_en;
    wire [15:0] r_row, w_row;
    wire [LW-1:0] r_column;
    wire [8*N-1:0] w_data;
    wire f_across, f_reading, f_load, f_leading, f_leaving, f_fresh;
    wire [LW-1:0] f_load_row;
    wire [8*N-1:0] f_weights, f_edges;
    wire [SW-1:0] f_step, f_j;
    wire [15:0] f_left, f_due, f_factor;
    wire [32*N-1:0] f_sums, f_kept;
    wire [31:0] f_total;
    wire [2:0] f_valid, f_ends_row, f_ends_all;
    wire [5:0] f_places;
    wire [7:0] f_q;

    ga2_mm #(.N(N)) unit (
        .clk(clk), .rst(rst),
        .start(start), .transposed(transposed), .d(d), .a(a), .b(b), .length(length), .multiplier(multiplier), .shift(shift),
        .busy(busy), .done(done),
        .r_en(r_en), .r_row(r_row), .r_by_column(r_by_column), .r_column(r_column), .r_data(r_data),
        .w_en(w_en), .w_row(w_row), .w_data(w_data),
        .f_across(f_across), .f_reading(f_reading), .f_step(f_step), .f_left(f_left), .f_sums(f_sums),
        .f_load(f_load), .f_load_row(f_load_row), .f_weights(f_weights), .f_edges(f_edges),
        .f_leading(f_leading), .f_leaving(f_leaving), .f_j(f_j), .f_fresh(f_fresh), .f_due(f_due), .f_kept(f_kept),
        .f_total(f_total), .f_valid(f_valid), .f_ends_row(f_ends_row), .f_ends_all(f_ends_all), .f_factor(f_factor),
        .f_places(f_places), .f_q(f_q)
    );

    // The ports of array and requant themselves: `hierconn` makes such a wire the one of that name inside the unit.
    (* hierconn *) wire \unit.systolic_i.clk , \unit.systolic_i.rst , \unit.systolic_i.load , \unit.systolic_i.en ;
    (* hierconn *) wire [LW-1:0] \unit.systolic_i.load_row ;
    (* hierconn *) wire [8*N-1:0] \unit.systolic_i.w_in , \unit.systolic_i.x_in ;
    (* hierconn *) wire [32*N-1:0] \unit.systolic_i.sum_out ;
    (* hierconn *) wire \unit.requant_i.clk ;
    (* hierconn *) wire [31:0] \unit.requant_i.total ;
    (* hierconn *) wire [15:0] \unit.requant_i.multiplier ;
    (* hierconn *) wire [5:0] \unit.requant_i.shift ;
    (* hierconn *) wire [7:0] \unit.requant_i.q ;

    // The command in progress and how far it is, counted by the harness alone. A position is {tile, place}: place 0 … N in a tile.
    localparam [SW-1:0] LAST = N - 1, GAP = N;
    localparam PW = 16 + SW;
    reg was_reset = 1'b0;
    reg active, across;
    reg [15:0] to, from_a, from_b, count, last, factor;
    reg [5:0] places;
    reg [31:0] cycles;
    reg reading, leaving, totalling, scaling, returning;
    reg [PW-1:0] read_at, leave_at, total_at, scale_at, return_at;
    wire [31:0] cost = cost_matmul({16'd0, count});
    wire taken = start && !active && !rst;
    wire [15:0] last_tile = last >> LW;
    wire [15-LW:0] tiles_after_read = last_tile - read_at[PW-1:SW], tiles_after_leave = last_tile - leave_at[PW-1:SW];
    wire [PW-1:0] final_at = {last_tile, LAST};
    wire last_cycle = returning && return_at == final_at;

    function [PW-1:0] after(input [PW-1:0] at);
        after = at[SW-1:0] == GAP ? {at[PW-1:SW] + 16'd1, {SW{1'b0}}} : at + 1'b1;
    endfunction

    always @(posedge clk) begin
        if (rst) was_reset <= 1'b1;
        active <= !rst && (taken || (active && !last_cycle));
        cycles <= taken ? 32'd1 : cycles + 32'd1;
        if (taken) begin
            across <= transposed;
            to <= d;
            from_a <= a;
            from_b <= b;
            count <= length;
            last <= length - 16'd1;
            factor <= multiplier;
            places <= shift;
        end
        reading <= !rst && (taken || (reading && read_at != {last_tile, GAP}));
        read_at <= taken ? {PW{1'b0}} : after(read_at);
        leaving <= !rst && ((active && cycles == COST_LANES + 32'd3) || (leaving && leave_at != final_at));
        leave_at <= leaving ? after(leave_at) : {PW{1'b0}};
        {totalling, scaling, returning} <= rst ? 3'd0 : {leaving, totalling, scaling};
        {total_at, scale_at, return_at} <= {leave_at, total_at, scale_at};
    end

    always @* begin
        m_reset: assume (was_reset || rst);
        m_length: assume (!start || length != 16'd0);
    end

    // The harness' own positions hang together.
    always @* if (was_reset) begin
        i_tiles: assert (!active || (count != 16'd0 && last == count - 16'd1));
        i_read: assert (!reading || (active && read_at[PW-1:SW] <= last_tile && read_at[SW-1:0] <= GAP));
        i_leave: assert (!leaving || (active && leave_at <= final_at && leave_at[SW-1:0] <= GAP));
        i_read_leads: assert (!(reading && active && !leaving) || (!totalling && !scaling && !returning &&
            read_at == (cycles <= COST_LANES + 32'd1 ? cycles - 32'd1 : {16'd1, {SW{1'b0}}} + cycles - COST_LANES - 32'd2)));
        i_read_next: assert (!(reading && leaving) || read_at == after(after({leave_at[PW-1:SW] + 16'd1, leave_at[SW-1:0]})));
        i_leads: assert (!active || leaving || totalling || scaling || returning || (cycles != 32'd0 && cycles <= COST_LANES + 32'd3));
        i_first_sum: assert (!leaving || totalling || (cycles == COST_LANES + 32'd4 && leave_at == {PW{1'b0}}));
        i_first_total: assert (!totalling || scaling || (cycles == COST_LANES + 32'd5 && total_at == {PW{1'b0}}));
        i_first_product: assert (!scaling || returning || (cycles == COST_LANES + 32'd6 && scale_at == {PW{1'b0}}));
        i_total_next: assert (!totalling || (active && total_at <= final_at && total_at[SW-1:0] <= GAP &&
            (leaving ? leave_at == after(total_at) : total_at == final_at)));
        i_scale_next: assert (!scaling || (active && scale_at <= final_at && scale_at[SW-1:0] <= GAP &&
            (totalling ? total_at == after(scale_at) : scale_at == final_at)));
        i_return_next: assert (!returning || (active && return_at <= final_at && return_at[SW-1:0] <= GAP &&
            (scaling ? scale_at == after(return_at) : return_at == final_at)));
        i_cycles: assert (!returning ||
            cycles == return_at[PW-1:SW] * COST_LANES + return_at[PW-1:SW] + return_at[SW-1:0] + COST_LANES + 32'd7);
    end

    // 1. Cost.
    wire leading = active && !leaving && !totalling && !scaling && !returning;
    wire [15:0] leave_tile = leave_at[PW-1:SW], total_tile = total_at[PW-1:SW];
    wire [15:0] scale_tile = scale_at[PW-1:SW], return_tile = return_at[PW-1:SW];
    wire [SW-1:0] leave_j = leave_at[SW-1:0], total_j = total_at[SW-1:0], scale_j = scale_at[SW-1:0], return_j = return_at[SW-1:0];
    wire total_counts = totalling && total_j != GAP && (across || total_tile == last_tile);
    wire scale_counts = scaling && scale_j != GAP && (across || scale_tile == last_tile);
    wire return_counts = returning && return_j != GAP && (across || return_tile == last_tile);
    always @* if (was_reset) begin
        a_busy: assert (busy == active);
        a_done: assert (done == last_cycle);
        a_cost: assert (done == (active && cycles == cost));
        i_command: assert (!active || (f_across == across && f_factor == factor && f_places == places));
        i_reading: assert (f_reading == reading);
        i_step: assert (!reading || (f_step == read_at[SW-1:0] && f_left - 16'd1 == {tiles_after_read, last[LW-1:0]}));
        i_leading: assert (f_leading == leading && (!leading || (f_j == cycles - 32'd1 && f_due == count && f_fresh)));
        i_leaving: assert (f_leaving == leaving && (!leaving || (f_j == leave_j && f_due - 16'd1 == {tiles_after_leave, last[LW-1:0]})));
        i_fresh: assert (!leaving || f_fresh == (across || leave_tile == 16'd0));
        i_valid: assert (f_valid == {return_counts, scale_counts, total_counts});
        i_ends_total: assert (!total_counts || {f_ends_row[0], f_ends_all[0]} == {total_j == LAST, total_tile == last_tile});
        i_ends_product: assert (!scale_counts || {f_ends_row[1], f_ends_all[1]} == {scale_j == LAST, scale_tile == last_tile});
        i_ends_result: assert (!return_counts || {f_ends_row[2], f_ends_all[2]} == {return_j == LAST, return_tile == last_tile});
    end

    // 2. Writes.
    wire row_ends = return_counts && return_j == LAST;
    wire [15:0] rows_done = across && returning ? return_tile + (return_j == GAP ? 16'd1 : 16'd0) : 16'd0;
    wire [15:0] now_row = to + rows_done;
    wire [15:0] below = watched_row - to;
    wire in_product = below <= (across ? last_tile : 16'd0);
    wire writes_it = w_en && w_row == watched_row;
    reg written;
    always @(posedge clk) written <= !taken && !rst && (written || writes_it);

    always @* if (was_reset) begin
        a_write_time: assert (w_en == row_ends);
        a_write_row: assert (!w_en || w_row == now_row);
        a_no_other_row: assert (!writes_it || (active && in_product));
        a_not_twice: assert (!writes_it || !written);
        a_all_written: assert (!done || !in_product || written || writes_it);
        i_row: assert (!active || w_row == now_row);
        i_written: assert (!active || written == (in_product && below < rows_done));
    end

    // 3. Sums: those of the watched column, added up; and what requant gives for them.
    reg [31:0] added;
    reg [7:0] result;
    reg has_added;
    wire [31:0] column_sum = f_sums[32*column +: 32];
    wire [31:0] column_kept = f_kept[32*column +: 32];
    wire [SW-1:0] wide_column = {{SW-LW{1'b0}}, column};
    wire [LW-1:0] behind = return_j[LW-1:0] - column;
    wire [LW-1:0] byte_now = LAST[LW-1:0] - behind;
    always @(posedge clk) begin
        if (leaving && leave_j == wide_column) begin
            added <= (across || leave_tile == 16'd0 ? 32'd0 : added) + column_sum;
            has_added <= 1'b1;
        end
        if (taken) has_added <= 1'b0;
        if (return_counts && return_j == wide_column) result <= f_q;
    end

    always @* if (was_reset) begin
        a_total: assert (!(total_counts && total_j == wide_column) || f_total == added);
        a_scale: assert (!(total_counts || scale_counts) || (f_factor == factor && f_places == places));
        a_byte: assert (!w_en || w_data[8*column +: 8] == (column == LAST ? f_q : result));
        i_added: assert (!leaving || has_added == (leave_tile != 16'd0 || leave_j > wide_column));
        i_kept: assert (!(leaving && has_added) || column_kept == added);
        i_packed: assert (!(returning && return_counts && return_j > wide_column) || w_data[8*byte_now +: 8] == result);
        i_none_added: assert (!leading || !has_added);
    end

    // 5. Ports.
    always @* if (was_reset) begin
        a_gets_clk: assert ({2{clk}} == {\unit.systolic_i.clk , \unit.requant_i.clk });
        a_gets_rst: assert (rst == \unit.systolic_i.rst );
        a_gets_en: assert (busy == \unit.systolic_i.en );
        a_gets_weights: assert ({f_load, f_load_row, f_weights}
            == {\unit.systolic_i.load , \unit.systolic_i.load_row , \unit.systolic_i.w_in });
        a_gets_edges: assert (f_edges == \unit.systolic_i.x_in );
        a_gets_total: assert ({f_total, f_factor, f_places}
            == {\unit.requant_i.total , \unit.requant_i.multiplier , \unit.requant_i.shift });
        a_takes_sums: assert (f_sums == \unit.systolic_i.sum_out );
        a_takes_result: assert (f_q == \unit.requant_i.q );
    end

    // 6. Protocol: any one vector is followed, for as long as it takes to leave the watched column.
    (* anyseq *) reg chosen;
    reg loading, row_0_loaded;
    reg [PW-1:0] load_at;
    reg [15:0] vector_tile;
    wire follows, over;
    wire [$clog2(2*N+1)-1:0] age;
    wire [N-1:0] locked;
    systolic_wave #(.N(N), .W(8)) wave (
        .clk(clk), .rst(rst), .load(\unit.systolic_i.load ), .load_row(\unit.systolic_i.load_row ), .w_in({8*N{1'b0}}),
        .en(\unit.systolic_i.en ), .x_in({8*N{1'b0}}), .begins(row_0_loaded && chosen), .column(column),
        .follows(follows), .over(over), .age(age), .locked(locked)
    );
    wire [15:0] tile_before = vector_tile - 16'd1;
    wire [SW-1:0] age_left = age - COST_LANES;
    wire [SW-1:0] age_next = age + 1'b1;
    always @(posedge clk) begin
        loading <= !rst && reading;
        load_at <= read_at;
        row_0_loaded <= !rst && \unit.systolic_i.load && \unit.systolic_i.load_row == {LW{1'b0}};
        if (!follows) vector_tile <= leading ? 16'd0 : leave_tile + 16'd1;
    end

    always @* if (was_reset) begin
        a_no_row_in_use: assert (!\unit.systolic_i.load || !locked[\unit.systolic_i.load_row ]);
        i_loads: assert (f_load == (loading && load_at[SW-1:0] != 0) && (!f_load || f_load_row == load_at[SW-1:0] - 1'b1));
        i_loading: assert (!loading || ((leading || leaving) && load_at <= {last_tile, GAP} && load_at[SW-1:0] <= GAP &&
            (reading ? read_at == after(load_at) : load_at == {last_tile, GAP})));
        i_load_leads: assert (!(loading && leading) || (cycles >= 32'd2 && load_at == (cycles <= COST_LANES + 32'd2
            ? cycles - 32'd2 : {16'd1, {SW{1'b0}}} + cycles - COST_LANES - 32'd3)));
        i_load_next: assert (!(loading && leaving) || load_at == after({leave_tile + 16'd1, leave_j}));
        i_row_0: assert (!row_0_loaded || (leading && cycles == 32'd4)
            || (leaving && leave_j == 1 && leave_tile != last_tile));
        i_age: assert (!follows || (active && age != 0 && age <= N - 1 + column && vector_tile <= last_tile && (age >= N
            ? leaving && leave_at == {vector_tile, age_left}
            : vector_tile == 16'd0 ? leading && cycles == age + 32'd4 : leaving && leave_at == {tile_before, age_next})));
    end

    // Covers.
    reg again;
    always @(posedge clk) again <= !rst && (again || done);
    always @* if (was_reset) begin
        c_one_tile: cover (done && count == 16'd1 && !across);
        c_two_tiles: cover (done && count == 16'd9 && !across && writes_it && column == 2 && w_data != {8*N{1'b0}});
        c_two_tiles_across: cover (done && count == 16'd16 && across && written && column == 2 && result == 8'h80);
        c_longest: cover (active && count == 16'hffff && return_tile == 16'd1);
        c_back_to_back: cover (again && taken && across);
        c_start_while_busy: cover (start && leaving);
        c_start_with_done: cover (start && done);
        c_reset_while_busy: cover (rst && leaving);
        c_negative_total: cover (total_counts && total_j == wide_column && f_total[31] && total_tile == 16'd1 && !across);
        c_not_the_row: cover (done && !in_product);
        c_port_loaded: cover (\unit.systolic_i.en && \unit.systolic_i.load && \unit.systolic_i.w_in != {8*N{1'b0}});
        c_port_edge: cover (\unit.systolic_i.en && \unit.systolic_i.x_in != {8*N{1'b0}});
        c_vector: cover (row_0_loaded && chosen && !follows && leaving);
        c_first_row_again: cover (follows && f_load && f_load_row == 0 && age == N && vector_tile == 16'd0);
        c_late_row_again: cover (follows && f_load && f_load_row == N - 2 && age == 2 * N - 2 && vector_tile == 16'd0);
    end
endmodule

`default_nettype wire
