// SPDX-License-Identifier: Apache-2.0
// ga2_vec: every output in every cycle, for any command of at least one row or int8, any data and any reset.
//
// Proved for N = 16 and all lengths 1 … 65,535. Rows are counted modulo 2^16: for a legal command nothing wraps.
//
// Protocol  A command is accepted in a cycle with start in which the harness has none running, by its own count of cycles.
//           A start while one runs is lost, and nothing of it is seen: `start` and the operands are free in every cycle.
//           `add` and `copy` together are an ADD.
// Memory    r_data is free in every cycle: each row holds whatever it likes whenever it is read. A row counts as read in the
//           cycle after r_en, and only then; the harness keeps what arrived, never what the unit keeps.
// argmax    first and other are any two indices below the length, the same in all cycles. The harness remembers both int8 as
//           they arrive. If `first` is the result, the int8 there is the largest and no earlier one is as large.
//
// Assumptions
//   1 m_reset   a reset in the first cycle: the board gives one after power-up; later ones come at any time
//   2 m_length  an accepted command has a length of at least 1: the chip starts the unit only for a legal instruction
`default_nettype none

module ga2_vec_harness #(
    parameter N = 16
) (
    input wire clk,
    input wire rst,
    input wire start,
    input wire add,
    input wire copy,
    input wire [15:0] d,
    input wire [15:0] a,
    input wire [15:0] b,
    input wire [15:0] length,
    input wire [8*N-1:0] r_data
);
    localparam LW = $clog2(N);
    localparam IDLE = 3'd0, READ_A = 3'd1, READ_B = 3'd2, WRITE = 3'd3, SCAN = 3'd4, FINISH = 3'd5;

`include "cost.svh"

    wire busy, done, r_en, w_en;
    wire [15:0] r_row, w_row;
    wire [8*N-1:0] w_data;
    wire [2:0] f_state;
    wire [15:0] f_to, f_a_row, f_b_row, f_left, f_best_index, f_base;
    wire f_adding, f_arrived;
    wire [8*N-1:0] f_first;
    wire signed [7:0] f_best;

    ga2_vec #(.N(N)) unit (
        .clk(clk), .rst(rst), .start(start), .add(add), .copy(copy), .d(d), .a(a), .b(b), .length(length),
        .busy(busy), .done(done), .r_en(r_en), .r_row(r_row), .r_data(r_data),
        .w_en(w_en), .w_row(w_row), .w_data(w_data),
        .f_state(f_state), .f_to(f_to), .f_a_row(f_a_row), .f_b_row(f_b_row), .f_left(f_left), .f_adding(f_adding),
        .f_arrived(f_arrived), .f_first(f_first), .f_best(f_best), .f_best_index(f_best_index), .f_base(f_base)
    );

    (* anyconst *) reg [LW-1:0] lane;
    (* anyconst *) reg [15:0] first;
    (* anyconst *) reg [15:0] other;

    // The command that runs, its cycle from 1 on, and where it is by the table of the unit: row k, step 0 … of that row.
    reg reset_seen = 1'b0;
    reg runs;
    reg adds, copies;
    reg [15:0] to, from_a, from_b, count;
    reg [31:0] cycle;
    reg [15:0] k;
    reg [1:0] step;
    wire [31:0] cost = adds ? cost_add({16'd0, count}) : copies ? cost_copy({16'd0, count}) : cost_argmax({16'd0, count});
    wire [1:0] last_step = adds ? 2'd2 : copies ? 2'd1 : 2'd0;
    wire accepts = start && !runs && !rst;

    always @(posedge clk) begin
        reset_seen <= 1'b1;
        if (rst) runs <= 1'b0;
        else if (runs) begin
            cycle <= cycle + 32'd1;
            step <= step == last_step ? 2'd0 : step + 2'd1;
            if (step == last_step) k <= k + 16'd1;
            if (cycle == cost) runs <= 1'b0;
        end else if (start) begin
            runs <= 1'b1;
            {adds, copies} <= {add, copy && !add};
            {to, from_a, from_b, count} <= {d, a, b, length};
            cycle <= 32'd1;
            k <= 16'd0;
            step <= 2'd0;
        end
    end

    // What arrived: the row of a before that of b, and the two int8 of an argmax.
    wire finds = !adds && !copies;
    wire [31:0] cycles_scanned = cycle - 32'd2;        // rows that arrived before this cycle
    reg [8*N-1:0] row_a;
    reg signed [7:0] first_value, other_value;
    always @(posedge clk) begin
        if (runs && adds && step == 2'd1) row_a <= r_data;
        if (runs && finds && cycle >= 32'd2) begin
            if ({16'd0, first} >> LW == cycles_scanned) first_value <= r_data[8*first[LW-1:0] +: 8];
            if ({16'd0, other} >> LW == cycles_scanned) other_value <= r_data[8*other[LW-1:0] +: 8];
        end
    end

    // What each lane of a sum has to be.
    function [7:0] clamped(input signed [7:0] left, input signed [7:0] right);
        integer exact;
        begin
            exact = left + right;
            clamped = exact > 127 ? 8'd127 : exact < -128 ? 8'd128 : exact[7:0];
        end
    endfunction

    wire reads = runs && (adds ? step < 2'd2 : copies ? step == 2'd0 : cycle + 32'd2 <= cost);
    wire [15:0] read_row = adds && step == 2'd1 ? from_b + k : from_a + k;
    wire writes = runs && (finds ? cycle == cost : step == last_step);
    wire [15:0] index = w_data[15:0];

    always @(posedge clk) begin
        m_reset: assume (reset_seen || rst);
        if (accepts) m_length: assume (length != 16'd0);
    end

    always @(posedge clk) if (reset_seen) begin
        a_busy: assert (busy == runs);
        a_cost: assert (done == (runs && cycle == cost));
        a_reads: assert (r_en == reads);
        if (reads) a_read_row: assert (r_row == read_row);
        a_writes: assert (w_en == writes);
        if (writes) a_write_row: assert (w_row == (finds ? to : to + k));
        if (done) a_done_writes: assert (w_en);
        if (writes && adds) a_sum: assert (w_data[8*lane +: 8] == clamped(row_a[8*lane +: 8], r_data[8*lane +: 8]));
        if (writes && copies) a_copy: assert (w_data == r_data);
        if (writes && finds) begin
            a_index: assert (index < count);
            a_rest_zero: assert (w_data[8*N-1:16] == 0);
            if (index == first && other < count) begin
                a_largest: assert (first_value >= other_value);
                if (first_value == other_value) a_first: assert (first <= other);
            end
        end
    end

    // Invariants: where the registers of the unit are, one equality per state.
    wire [31:0] compared = cycles_scanned << LW;       // int8 compared before this cycle
    wire compares = cycle >= 32'd2;
    always @(posedge clk) if (reset_seen) begin
        i_state: assert (f_state == (!runs ? IDLE : adds ? (step == 2'd0 ? READ_A : step == 2'd1 ? READ_B : WRITE)
            : copies ? (step == 2'd0 ? READ_A : WRITE) : cycle == cost ? FINISH : SCAN));
        i_base_row: assert (f_base[LW-1:0] == {LW{1'b0}});
        if (runs) begin
            i_command: assert (!(adds && copies) && count != 16'd0 && f_adding == adds);
            i_step: assert (step <= last_step && cycle >= 32'd1 && cycle <= cost);
            i_cycle: assert (cycle == (adds ? 32'd3 * k : copies ? 32'd2 * k : {16'd0, k}) + step + 32'd1);
            i_row: assert (finds || k < count);
            i_to: assert (f_to == (finds ? to : to + k));
            i_a_row: assert (f_a_row == from_a + k + (step != 2'd0 ? 16'd1 : 16'd0));
            if (adds) i_b_row: assert (f_b_row == from_b + k + (step == 2'd2 ? 16'd1 : 16'd0));
            if (adds && step == 2'd2) i_first: assert (f_first == row_a);
            if (!finds) i_left: assert (f_left == count - k);
            if (finds) begin
                i_arrived: assert (f_arrived == compares);
                if (compares) i_base: assert (f_base == compared[15:0] && f_left == count - compared[15:0]);
                if (!compares) i_begin: assert (f_base == 16'd0 && f_left == count);
                if (cycle >= 32'd3) begin
                    i_found: assert (f_best_index < count && {16'd0, f_best_index} < compared);
                    if (f_best_index == first) i_best: assert (f_best == first_value);
                    if ({16'd0, other} < compared && other < count)
                        i_largest: assert (f_best > other_value || (f_best == other_value && f_best_index <= other));
                end
            end
        end
    end

    // Covers: a command that ran before this one, and what each kind of command can meet.
    reg ran;
    reg start_ignored;
    reg at_once;
    reg was_done;
    always @(posedge clk) begin
        was_done <= runs && cycle == cost && !rst;
        if (rst) {ran, start_ignored, at_once} <= 3'd0;
        else begin
            if (accepts) {at_once, start_ignored} <= {was_done, 1'b0};
            if (runs && start && d != to && length != count) start_ignored <= 1'b1;
            if (runs && cycle == cost) ran <= 1'b1;
        end
    end
    wire signed [7:0] lane_a = row_a[8*lane +: 8];
    wire signed [7:0] lane_b = r_data[8*lane +: 8];
    always @(posedge clk) if (reset_seen && !rst) begin
        c_add: cover (done && adds && count == 16'd4);
        c_copy: cover (done && copies && count == 16'd6);
        c_argmax: cover (done && finds && count == 16'd77);
        c_back_to_back: cover (done && ran && at_once && finds);
        c_start_ignored: cover (done && start_ignored && adds && count == 16'd2);
        c_clamped_up: cover (writes && adds && lane_a == 8'sd100 && lane_b == 8'sd28);
        c_clamped_down: cover (writes && adds && lane_a == -8'sd128 && lane_b == -8'sd1);
        c_not_clamped: cover (writes && adds && lane_a == 8'sd127 && lane_b == -8'sd128);
        c_equal: cover (done && finds && index == first && first == 16'd18 && other == 16'd37 && first_value == other_value);
        c_smallest: cover (done && finds && index == first && first == 16'd0 && first_value == -8'sd128 && count == 16'd33);
        c_last_is_largest: cover (done && finds && index == 16'd32 && count == 16'd33 && first == 16'd32 && other == 16'd31
            && first_value > other_value);
    end
    always @(posedge clk) if (reset_seen) c_reset_within: cover (rst && runs && ran && k == 16'd2);
endmodule

`default_nettype wire
