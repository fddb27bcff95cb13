// SPDX-License-Identifier: Apache-2.0
// ga2_sm_harness: every output of ga2_sm, for any softmax and any reset; for weights with the product as it comes.
//
// Proved for N = 16, MAX_CONTEXT = 64, with the real divider and table. Where the multiplier is, ga2_sm_free.sv gives anything,
// and for the factors ga2_sm_mul.sv the two side by side. Rows are counted modulo 2^16: for a legal command nothing wraps.
//
// Protocol  A command is accepted in a cycle with start in which the harness has none running, by its own count of cycles.
//           A start while one runs is lost: `start` and the operands are free in every cycle.
// Memory    A row arrives in the cycle after r_en and stays until the next one does. It is free each time it is read, but for
//           two scores, first and second: any two indices, any two values for each command, the same whenever they are read.
//           That they are is no assumption about the unit: it writes no row before it has read it for the last time
//           (i_read_first), and otherwise destination and source have no row in common.
// Phases    phase and s, its cycle from 1 on: MAX rows + 1, SUM n + 1, DIV 25, SCALE n + 2.
// Weights   What is multiplied for a score is R, the quotient of 127·2^16 by the sum of all e, and its e, from the table of
//           impl/chip/integers.py; a larger score has no smaller e. The product, rounded, is written into the lane of its
//           score. What follows for the weights, up to their sum of 127 ± n, is in proofs/softmax.py.
//
// Assumptions
//   1 m_reset       a reset in the first cycle: the board gives one after power-up; later ones come at any time
//   2 m_length      an accepted command has 1 … MAX_CONTEXT scores: the chip starts the unit only for a legal instruction
//   3 m_reciprocal  a quotient of 127·2^16 by 255 or more is ≤ 32639, by 255 it is 32639: follows (Q1) from quotient·divisor
//                   + remainder = dividend, remainder < divisor, which the harness of divu shows.
//                   That the division has these operands is asserted (a_operands), not assumed
`default_nettype none

module ga2_sm_harness #(
    parameter N = 16,
    parameter MAX_CONTEXT = 64
) (
    input wire clk,
    input wire rst,
    input wire start,
    input wire [15:0] d,
    input wire [15:0] a,
    input wire [15:0] length,
    input wire [8*N-1:0] any_row,
    input wire signed [7:0] any_first,
    input wire signed [7:0] any_second
);
    localparam LW = $clog2(N);
    localparam IW = $clog2(MAX_CONTEXT);
    localparam TW = $clog2(255 * MAX_CONTEXT + 1);
    localparam [15:0] LONGEST = MAX_CONTEXT[15:0];
    localparam [23:0] FULL = 24'd8323072;        // 127·2^16
    localparam IDLE = 3'd0, MAX = 3'd1, SUM = 3'd2, DIV = 3'd3, SCALE = 3'd4;

`include "cost.svh"
`include "exp_table.svh"

    wire busy, done, r_en, w_en;
    wire [15:0] r_row, w_row;
    wire [8*N-1:0] w_data;
    wire [2:0] f_state;
    wire [15:0] f_count, f_left, f_from, f_row, f_to, f_below_left, f_product_left;
    wire [LW-1:0] f_lane, f_below_lane, f_product_lane;
    wire f_arrived, f_started, f_below_valid, f_product_valid, f_divides;
    wire signed [7:0] f_row_max, f_highest;
    wire [7:0] f_below;
    wire [TW-1:0] f_total;
    wire [4:0] f_steps_left;
    wire [23:0] f_divisor, f_quotient;
    wire [22:0] f_product;
    wire [8*N-1:0] f_packed;
    reg [8*N-1:0] row;

    ga2_sm #(.N(N), .MAX_CONTEXT(MAX_CONTEXT)) unit (
        .clk(clk), .rst(rst), .start(start), .d(d), .a(a), .length(length), .busy(busy), .done(done),
        .r_en(r_en), .r_row(r_row), .r_data(row), .w_en(w_en), .w_row(w_row), .w_data(w_data),
        .f_state(f_state), .f_count(f_count), .f_left(f_left), .f_from(f_from), .f_row(f_row), .f_to(f_to), .f_lane(f_lane),
        .f_arrived(f_arrived), .f_started(f_started), .f_row_max(f_row_max), .f_highest(f_highest), .f_below(f_below),
        .f_below_valid(f_below_valid), .f_below_lane(f_below_lane), .f_below_left(f_below_left), .f_total(f_total),
        .f_divides(f_divides), .f_steps_left(f_steps_left), .f_divisor(f_divisor), .f_quotient(f_quotient),
        .f_product(f_product), .f_product_valid(f_product_valid), .f_product_lane(f_product_lane),
        .f_product_left(f_product_left), .f_packed(f_packed)
    );

    // The command that runs, and where it is.
    (* anyconst *) reg [IW-1:0] any_index;
    (* anyconst *) reg [IW-1:0] other_index;
    wire [15:0] first = {{16-IW{1'b0}}, any_index};
    wire [15:0] second = {{16-IW{1'b0}}, other_index};
    reg reset_seen = 1'b0;
    reg runs;
    reg [15:0] to, from, count;
    reg [31:0] cycle;
    reg [2:0] phase;
    reg [15:0] s;
    reg signed [7:0] first_value, second_value;
    wire [31:0] cost = cost_softmax({16'd0, count});
    wire [31:0] wide_rows = cost_rows_for({16'd0, count});
    wire [15:0] rows = wide_rows[15:0];
    wire accepts = start && !runs && !rst;
    wire [15:0] phase_cycles = phase == MAX ? rows + 16'd1 : phase == SUM ? count + 16'd1 : phase == DIV ? 16'd25
        : count + 16'd2;

    always @(posedge clk) begin
        reset_seen <= 1'b1;
        if (rst) {runs, phase} <= {1'b0, IDLE};
        else if (runs) begin
            cycle <= cycle + 32'd1;
            s <= s == phase_cycles ? 16'd1 : s + 16'd1;
            if (s == phase_cycles) phase <= phase == SCALE ? IDLE : phase + 3'd1;
            if (cycle == cost) runs <= 1'b0;
        end else if (start) begin
            {runs, phase, s, cycle} <= {1'b1, MAX, 16'd1, 32'd1};
            {to, from, count} <= {d, a, length};
            first_value <= any_first;
            second_value <= first == second ? any_first : any_second;
        end
    end

    // The memory: row is the one that was read last, row q of the command.
    reg [8*N-1:0] next;
    reg [15:0] q;
    wire [15:0] read_index = r_row - from;
    always @* begin
        next = any_row;
        if (first >> LW == read_index) next[8*first[LW-1:0] +: 8] = first_value;
        if (second >> LW == read_index) next[8*second[LW-1:0] +: 8] = second_value;
    end
    always @(posedge clk) if (r_en) {row, q} <= {next, read_index};

    // The largest score so far is what the unit has for it: it may only change to a score of the row that arrived, and
    // is as large as first and second. Σ of the table of the scores that were looked at is the harness's own.
    wire [15:0] looked_at = s - 16'd1;
    wire [LW-1:0] lane = looked_at[LW-1:0];
    wire signed [7:0] highest = f_highest;
    reg [7:0] below;                                  // of the score looked at last
    reg [31:0] sum;
    wire [7:0] below_now = highest - row[8*lane +: 8];
    wire [15:0] arrived_before = (s - 16'd2) << LW;   // MAX: scores in the rows that arrived before this one
    reg signed [7:0] highest_before;
    reg [8*N-1:0] row_before;
    reg [N-1:0] scores_before, is_highest;
    reg none_larger;                                  // of the scores in the row that arrives
    integer v, u;
    always @* begin
        none_larger = 1'b1;
        for (v = 0; v < N; v = v + 1) if (v[15:0] < f_left && $signed(row[8*v +: 8]) > f_row_max) none_larger = 1'b0;
    end
    always @* for (v = 0; v < N; v = v + 1) is_highest[v] = scores_before[v] && row_before[8*v +: 8] == highest;
    always @(posedge clk) begin
        {highest_before, row_before} <= {highest, row};
        for (u = 0; u < N; u = u + 1) scores_before[u] <= arrived_before + u[15:0] < count;
        if (accepts) sum <= 32'd0;
        if (phase == SUM) below <= below_now;
        if (phase == SUM && s >= 16'd2) sum <= sum + {24'd0, exp_table(below)};
    end

    wire [7:0] first_power, second_power;
    wire reading = phase != IDLE && (phase != MAX || s >= 16'd2);
    ga2_sm_element #(.N(N)) first_i (
        .clk(clk), .checked(reset_seen), .index(first), .value(first_value), .phase(phase), .s(s), .count(count), .rows(rows),
        .reading(reading), .q(q), .row(row), .highest(highest), .f_below(f_below), .f_product(f_product),
        .f_reciprocal(f_quotient[14:0]), .f_packed(f_packed), .writes(w_en), .w_data(w_data),
        .power(first_power)
    );
    ga2_sm_element #(.N(N)) second_i (
        .clk(clk), .checked(reset_seen), .index(second), .value(second_value), .phase(phase), .s(s), .count(count), .rows(rows),
        .reading(reading), .q(q), .row(row), .highest(highest), .f_below(f_below), .f_product(f_product),
        .f_reciprocal(f_quotient[14:0]), .f_packed(f_packed), .writes(w_en), .w_data(w_data),
        .power(second_power)
    );

    wire [7:0] first_below = highest - first_value;

    // Which rows are due, by the phase.
    wire passes = phase == SUM || phase == SCALE;
    wire next_due = passes && s < count && s[LW-1:0] == {LW{1'b0}};
    wire turns = phase == SUM && s == count + 16'd1;
    wire reads = phase == MAX || turns || next_due;
    wire [15:0] read_row = phase == MAX ? (s <= rows ? from + s - 16'd1 : from) : turns ? from : from + (s >> LW);
    wire [15:0] product_index = s - 16'd3;       // SCALE: the score whose weight is ready
    wire [15:0] product_row = product_index >> LW;
    wire weighs = phase == SCALE && s >= 16'd3;
    wire writes = weighs && (&product_index[LW-1:0] || product_index == count - 16'd1);
    wire [15:0] rows_written = weighs ? product_row : 16'd0;
    wire [15:0] beyond = count - (product_row << LW);     // the first lane of the row that holds no weight, if below N

    always @(posedge clk) begin
        m_reset: assume (reset_seen || rst);
        if (accepts) m_length: assume (length != 16'd0 && length <= LONGEST);
        if (reset_seen && phase == SCALE && f_divisor >= 24'd255)
            m_reciprocal: assume (f_quotient <= 24'd32639 && (f_divisor != 24'd255 || f_quotient == 24'd32639));
    end

    always @(posedge clk) if (reset_seen) begin
        a_busy: assert (busy == runs);
        a_cost: assert (done == (runs && cycle == cost));
        a_reads: assert (r_en == reads);
        if (reads) a_read_row: assert (r_row == read_row);
        if (reads && phase == SCALE) i_read_first: assert (read_index >= rows_written);
        a_writes: assert (w_en == writes);
        if (writes) a_write_row: assert (w_row == to + product_row);
        if (done) a_done_writes: assert (w_en);
        if (writes && beyond < N) a_rest_zero: assert (w_data >> (8 * beyond) == 0);
        if ((phase == MAX && s >= 16'd3) || (phase == SUM && s == 16'd1))
            a_highest: assert (highest == highest_before || is_highest != 0);
        if (phase == DIV && s == 16'd2) a_operands: assert (f_quotient == FULL && {8'd0, f_divisor} == sum);
        if (phase == SCALE && first < count && first_value == highest) a_reciprocal: assert (f_quotient <= 24'd32639);
        if (done && first < count && second < count) begin
            if (first_value >= second_value) i_order: assert (first_power >= second_power);
        end
        if (done && count == 16'd1 && first == 16'd0) i_one: assert (first_power == 8'd255 && f_quotient == 24'd32639);
    end

    // Invariants: where the registers of the unit are, one equality per phase.
    wire [15:0] seen = s > count ? count - 16'd1 : s - 16'd1;      // SUM and SCALE: the score looked at now, or the last one
    always @(posedge clk) if (reset_seen) begin
        i_state: assert (f_state == phase && runs == (phase != IDLE) && phase <= SCALE);
        i_below_valid: assert (f_below_valid == (passes && s >= 16'd2 && s <= count + 16'd1));
        i_product_valid: assert (f_product_valid == (weighs && s <= count + 16'd2));
        i_divider: assert (f_divides == (phase == DIV && s >= 16'd2));
        if (!weighs) i_unpacked: assert (f_packed == 0);
        i_packed_positive: assert ((f_packed & {N{8'h80}}) == 0);
        if (weighs) i_packed_so_far: assert (f_packed >> (8 * product_index[LW-1:0]) == 0);
        if (runs) begin
            i_command: assert (count != 16'd0 && count <= LONGEST && f_count == count && f_from == from);
            i_same: assert (first != second || first_value == second_value);
            i_cycle: assert (cycle == s + (phase == MAX ? 32'd0 : phase == SUM ? wide_rows + 32'd1
                : phase == DIV ? wide_rows + count + 32'd2 : wide_rows + count + 32'd27));
            i_s: assert (s != 16'd0 && s <= phase_cycles);
            i_to: assert (f_to == to + rows_written);
            if (reading) i_q: assert (q == (phase == MAX ? s - 16'd2 : phase == DIV ? 16'd0 : seen >> LW));
            i_row_read: assert (f_row == from + (phase == MAX ? s - 16'd1 : phase == DIV ? 16'd1 : 16'd1 + (seen >> LW)));
        end
        if (phase == MAX) begin
            i_arrived: assert (f_arrived == (s >= 16'd2));
            i_left_rows: assert (f_left == (s == 16'd1 ? count : count - arrived_before));
            if (s <= 16'd2) i_highest_begins: assert (highest == -8'sd128);
            if (s >= 16'd2) i_none_larger: assert (none_larger);
            i_sum_zero: assert (sum == 32'd0);
        end
        if (passes) begin
            i_left: assert (f_left == (s > count ? 16'd0 : count - s + 16'd1));
            i_lane: assert (s > count || f_lane == lane);
        end
        if (f_below_valid) i_below_left: assert (f_below_left == count - s + 16'd1);
        if (f_below_valid) i_below_lane: assert (f_below_lane == lane - 1'b1);
        if (f_product_valid) i_product_left: assert (f_product_left == count - s + 16'd2);
        if (f_product_valid) i_product_lane: assert (f_product_lane == product_index[LW-1:0]);
        if (phase == SUM) begin
            if (s >= 16'd2) i_sum_below: assert (f_below == below);
            i_sum: assert ({{32-TW{1'b0}}, f_total} == sum);
            i_sum_most: assert (sum <= (s == 16'd1 ? 32'd0 : 32'd255 * (s - 16'd2)));
            if (s >= 16'd2 && first == s - 16'd2) i_sum_first: assert (below == (first_below));
            if (s >= 16'd3 && first <= s - 16'd3 && first_value == highest) i_sum_least: assert (sum >= 32'd255);
        end
        if (phase >= DIV) begin
            i_total: assert ({{32-TW{1'b0}}, f_total} == sum && sum <= 32'd255 * count);
            if (first < count && first_value == highest) i_total_least: assert (sum >= 32'd255);
        end
        if (phase > MAX && count == 16'd1 && first == 16'd0) i_alone: assert (highest == first_value);
        if (phase == DIV) i_started: assert (f_started == (s >= 16'd2));
        if (phase >= SUM && !(phase == SUM && s == 16'd1)) i_highest_stays: assert (highest == highest_before);
        if (f_divides) i_steps: assert (f_steps_left == 16'd26 - s);
        if (f_divides || phase == SCALE) i_divisor: assert ({8'd0, f_divisor} == sum);
    end

    // Covers.
    reg start_ignored, done_before, follows;
    always @(posedge clk) begin
        if (accepts) start_ignored <= 1'b0;
        if (runs && start && d != to && length != count) start_ignored <= 1'b1;
        done_before <= done && !rst;
        if (accepts) follows <= done_before;
    end
    always @(posedge clk) if (reset_seen && !rst) begin
        c_one: cover (done && count == 16'd1);
        c_start_ignored: cover (done && start_ignored && count == 16'd2);
        c_equal: cover (done && count == 16'd3 && first == 16'd0 && second == 16'd2 && first_value == second_value);
        c_order: cover (done && count == 16'd3 && first == 16'd0 && second == 16'd2 && first_value == 127
            && second_value == -128);
        c_two_rows: cover (done && count == N + 1 && first == 16'd0 && second == N && first_value < second_value);
        c_longest: cover (done && follows && count == LONGEST);
    end
    always @(posedge clk) if (reset_seen) c_reset_within: cover (rst && phase == DIV && s == 16'd9);
endmodule

`default_nettype wire
