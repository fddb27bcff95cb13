// SPDX-License-Identifier: Apache-2.0
// ga2_mm_reads_harness: what ga2_mm reads for a command, and how it feeds the array with it.
//
// Shown     1 Reads: the row of a, then row (transposed: column) k of the tile for k = 0 … N − 1, tile by tile: rows b … b +
//             length − 1 each once and in order, or the N columns of each tile's rows; nothing else, and nothing without a command.
//           2 Array: a read later, row k of the array gets what was read, as systolic's protocol asks; 0 takes the place of a
//             row beyond the length and, transposed, of an element whose row lies beyond it. No other row is ever loaded.
//           3 Edge: one cycle after row k was loaded, element k of a enters there and 0 everywhere else.
//           So vector and matrix of tile t enter in systolic's steps T = 3 + t·(N + 1): row k is loaded in the cycle before T + k,
//           and next in cycle T + k + N, when step T + k + N − 1 is over.
// Build     N = 16 (task reads) and N = 8 (task reads_small).
// Assumed   1 m_reads_reset: rst is up in the first cycle. A chip is reset before it is used; later rst comes and goes at will.
//           2 m_reads_length: a command has a length of at least 1. ga2 starts ga2_mm only for a legal instruction.
//           3 m_reading_is_busy: while it reads, the unit is busy. ga2_mm_harness shows it: i_reading, i_read and a_busy.
// Modelled  r_data, the sums of the array and what requant gives are free in every cycle (ga2_mm_free.sv).
`default_nettype none

module ga2_mm_reads_harness #(
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
    localparam LW = $clog2(N);
    localparam SW = $clog2(N + 4);
    localparam [SW-1:0] GAP = N;

    wire busy, done, r_en, r_by_column, w_en, f_across, f_reading, f_load;
    wire [15:0] r_row, f_left, f_a_row, f_b_row;
    wire [LW-1:0] r_column, f_load_row;
    wire [SW-1:0] f_step;
    wire [8*N-1:0] f_x, f_weights, f_edges;

    ga2_mm #(.N(N)) unit (
        .clk(clk), .rst(rst),
        .start(start), .transposed(transposed), .d(d), .a(a), .b(b), .length(length), .multiplier(multiplier), .shift(shift),
        .busy(busy), .done(done),
        .r_en(r_en), .r_row(r_row), .r_by_column(r_by_column), .r_column(r_column), .r_data(r_data),
        .w_en(w_en),
        .f_across(f_across), .f_reading(f_reading), .f_step(f_step), .f_left(f_left), .f_a_row(f_a_row), .f_b_row(f_b_row),
        .f_x(f_x), .f_load(f_load), .f_load_row(f_load_row), .f_weights(f_weights), .f_edges(f_edges)
    );

    // The command in progress and the place of reading in it: step 0 … N of tile 0 … last_tile.
    reg was_reset = 1'b0;
    reg across, reading;
    reg [15:0] from_a, from_b, last, tile;
    reg [SW-1:0] step;
    wire taken = start && !busy && !rst;
    wire [15:0] last_tile = last >> LW;

    always @(posedge clk) begin
        if (rst) was_reset <= 1'b1;
        reading <= !rst && (taken || (reading && !(tile == last_tile && step == GAP)));
        if (taken) begin
            across <= transposed;
            from_a <= a;
            from_b <= b;
            last <= length - 16'd1;
            tile <= 16'd0;
            step <= {SW{1'b0}};
        end else begin
            tile <= step == GAP ? tile + 16'd1 : tile;
            step <= step == GAP ? {SW{1'b0}} : step + 1'b1;
        end
    end

    always @* begin
        m_reads_reset: assume (was_reset || rst);
        m_reads_length: assume (!start || length != 16'd0);
        m_reading_is_busy: assume (!f_reading || busy);
    end

    // 1. Reads. Element number `index` of the whole product is element k of its tile.
    wire [15:0] k = step - 1'b1;
    wire [15:0] index = {tile[15-LW:0], k[LW-1:0]};
    wire reads_a = reading && step == 0 && (tile == 16'd0 || !across);
    wire reads_b = reading && step != 0 && (across || index <= last);
    wire [15:0] a_row = from_a + tile;
    wire [15:0] b_row = from_b + (across || step == 0 ? {tile[15-LW:0], {LW{1'b0}}} : index);
    wire [15-LW:0] tiles_after = last_tile - tile;

    always @* if (was_reset) begin
        a_reads: assert (r_en == (reads_a || reads_b));
        a_row_of_a: assert (!reads_a || (r_row == a_row && !r_by_column));
        a_row_of_b: assert (!reads_b || (r_row == b_row && r_by_column == across));
        a_column_of_b: assert (!(reads_b && across) || r_column == k[LW-1:0]);
        i_started: assert (f_reading == reading && (!reading || (last != 16'hffff && tile <= last_tile && step <= GAP)));
        i_place: assert (!reading || (f_across == across && f_step == step));
        i_remaining: assert (!reading || f_left - 16'd1 == {tiles_after, last[LW-1:0]});
        i_next_rows: assert (!reading || (f_a_row == a_row + (step != 0) && f_b_row == b_row));
    end

    // 2. Array, a cycle later: what was read arrives.
    reg a_came, b_came, b_was_read, came_across;
    reg [15:0] came_tile, came_last;
    reg [LW-1:0] came_k;
    (* anyconst *) reg [LW-1:0] lane;
    wire lane_exists = b_was_read && (!came_across || {came_tile[15-LW:0], lane} <= came_last);

    always @(posedge clk) begin
        a_came <= !rst && reads_a;
        b_came <= !rst && reading && step != 0;
        b_was_read <= reads_b;
        came_across <= across;
        came_tile <= tile;
        came_last <= last;
        came_k <= k[LW-1:0];
    end

    always @* if (was_reset) begin
        a_loads: assert (f_load == b_came);
        a_load_row: assert (!b_came || f_load_row == came_k);
        a_weights: assert (!b_came || f_weights[8*lane +: 8] == (lane_exists ? r_data[8*lane +: 8] : 8'd0));
    end

    // 3. Edge, another cycle later. The row of a stays until the next one has come.
    reg enters;
    reg [LW-1:0] enter_k;
    reg [8*N-1:0] row_of_a;

    always @(posedge clk) begin
        enters <= !rst && b_came;
        enter_k <= came_k;
        row_of_a <= rst ? {8*N{1'b0}} : a_came ? r_data : row_of_a;
    end

    wire [7:0] lane_of_a = row_of_a[8*lane +: 8];
    always @* if (was_reset) begin
        a_edge: assert (f_edges[8*lane +: 8] == (enters && enter_k == lane ? lane_of_a : 8'd0));
        i_row_of_a: assert (f_x[8*lane +: 8] == lane_of_a);
    end

    // Covers.
    always @* if (was_reset) begin
        c_first_tile: cover (reads_b && k == 16'd3 && tile == 16'd0);
        c_second_tile: cover (reads_b && !across && tile == 16'd1 && k == 16'd2 && last == 16'd11);
        c_second_tile_across: cover (reads_b && across && tile == 16'd1 && k == 16'd2);
        c_not_read: cover (reading && step != 0 && !reads_b);
        c_lane_beyond: cover (b_came && b_was_read && !lane_exists);
        c_enters_between_tiles: cover (enters && enter_k == {LW{1'b1}} && reading && step == 1 && tile == 16'd1);
        c_edge: cover (enters && enter_k == lane && f_edges[8*lane +: 8] == 8'h80);
        c_start_while_reading: cover (reading && start && step == 2);
    end
endmodule

`default_nettype wire
