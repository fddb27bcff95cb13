// SPDX-License-Identifier: Apache-2.0
// ga2_vec: vector unit. Saturating sum or copy of rows, one row after another, and argmax of int8.
//
// States    0 idle
//           1 READ_A  read a row of a
//           2 READ_B  ADD: read a row of b while that of a arrives
//           3 WRITE   write the sum or the copy
//           4 SCAN    ARGMAX, rows(length) + 1 cycles: read a row, compare the one before
//           5 FINISH  ARGMAX: write the index
//
// Ports     start, add, copy (neither: argmax), d, a, b, length ≥ 1 → busy, done · r_en, r_row → r_data a cycle later ·
//           w_en, w_row, w_data: a whole row. `length` counts rows, for argmax int8.
// Protocol  start is taken when not busy; done is up in the last busy cycle, that of the last write
// Latency   ADD 3·length · COPY 2·length · ARGMAX rows(length) + 2
// Reset     to idle
`default_nettype none

module ga2_vec #(
    parameter N = 16
) (
    input  wire clk,
    input  wire rst,
    input  wire start,
    input  wire add,
    input  wire copy,
    input  wire [15:0] d,
    input  wire [15:0] a,
    input  wire [15:0] b,
    input  wire [15:0] length,
    output wire busy,
    output wire done,
    output wire r_en,
    output wire [15:0] r_row,
    input  wire [8*N-1:0] r_data,
    output wire w_en,
    output wire [15:0] w_row,
    output wire [8*N-1:0] w_data
`ifdef FORMAL
    ,
    output wire [2:0] f_state,
    output wire [15:0] f_to,
    output wire [15:0] f_a_row,
    output wire [15:0] f_b_row,
    output wire [15:0] f_left,
    output wire f_adding,
    output wire f_arrived,
    output wire [8*N-1:0] f_first,
    output wire [7:0] f_best,
    output wire [15:0] f_best_index,
    output wire [15:0] f_base
`endif
);
    localparam LW = $clog2(N);
    localparam [15:0] LANES = N[15:0];
    localparam IDLE = 3'd0, READ_A = 3'd1, READ_B = 3'd2, WRITE = 3'd3, SCAN = 3'd4, FINISH = 3'd5;

    reg [2:0] state;
    reg adding;
    reg [15:0] to;
    reg [15:0] a_row;
    reg [15:0] b_row;
    reg [15:0] left;         // rows, for argmax int8 that were not compared yet
    reg arrived;             // SCAN: r_data holds a row
    reg [8*N-1:0] first;
    reg signed [7:0] best;
    reg [15:0] best_index;
    reg [15:0] base;         // index of the first int8 of the row that is compared

    // The sum of two rows, each int8 clamped.
    reg [8*N-1:0] sum;
    reg signed [8:0] wide;
    integer i;
    always @* begin
        wide = 9'sd0;
        for (i = 0; i < N; i = i + 1) begin
            wide = {first[8*i+7], first[8*i +: 8]} + {r_data[8*i+7], r_data[8*i +: 8]};
            sum[8*i +: 8] = wide > 9'sd127 ? 8'h7f : wide < -9'sd128 ? 8'h80 : wide[7:0];
        end
    end

    // The first largest of a row, in a tree: a later one wins only when it is larger and exists.
    reg [8*N-1:0] values;
    reg [LW*N-1:0] lanes;
    integer v, span;
    always @* begin
        values = r_data;
        for (v = 0; v < N; v = v + 1)
            lanes[LW*v +: LW] = v[LW-1:0];
        for (span = 1; span < N; span = span * 2)
            for (v = 0; v < N; v = v + 2 * span)
                if (v[15:0] + span[15:0] < left
                    && $signed(values[8*(v + span) +: 8]) > $signed(values[8*v +: 8])) begin
                    values[8*v +: 8] = values[8*(v + span) +: 8];
                    lanes[LW*v +: LW] = lanes[LW*(v + span) +: LW];
                end
    end
    wire signed [7:0] row_best = values[7:0];
    wire [LW-1:0] row_lane = lanes[LW-1:0];

    assign busy = state != IDLE;
    assign done = (state == WRITE && left == 16'd1) || state == FINISH;
    assign r_en = state == READ_A || state == READ_B || (state == SCAN && (!arrived || left > LANES));
    assign r_row = state == READ_B ? b_row : a_row;
    assign w_en = state == WRITE || state == FINISH;
    assign w_row = to;
    assign w_data = state == FINISH ? {{8*N-16{1'b0}}, best_index} : adding ? sum : r_data;

    always @(posedge clk) begin
        if (rst) begin
            state <= IDLE;
            adding <= 1'b0;
            to <= 16'd0;
            a_row <= 16'd0;
            b_row <= 16'd0;
            left <= 16'd0;
            arrived <= 1'b0;
            first <= {8*N{1'b0}};
            best <= 8'sd0;
            best_index <= 16'd0;
            base <= 16'd0;
        end else begin
            case (state)
                IDLE: if (start) begin
                    state <= add || copy ? READ_A : SCAN;
                    adding <= add;
                    to <= d;
                    a_row <= a;
                    b_row <= b;
                    left <= length;
                    arrived <= 1'b0;
                    base <= 16'd0;
                end
                READ_A: begin
                    a_row <= a_row + 16'd1;
                    state <= adding ? READ_B : WRITE;
                end
                READ_B: begin
                    b_row <= b_row + 16'd1;
                    first <= r_data;
                    state <= WRITE;
                end
                WRITE: begin
                    to <= to + 16'd1;
                    left <= left - 16'd1;
                    state <= left == 16'd1 ? IDLE : READ_A;
                end
                SCAN: begin
                    arrived <= 1'b1;
                    a_row <= a_row + 16'd1;
                    if (arrived) begin
                        base <= base + LANES;
                        left <= left - LANES;
                        if (base == 16'd0 || row_best > best) begin
                            best <= row_best;
                            best_index <= base + {{16-LW{1'b0}}, row_lane};
                        end
                        if (left <= LANES) state <= FINISH;
                    end
                end
                default: state <= IDLE;
            endcase
        end
    end

`ifdef FORMAL
    assign f_state = state;
    assign f_to = to;
    assign f_a_row = a_row;
    assign f_b_row = b_row;
    assign f_left = left;
    assign f_adding = adding;
    assign f_arrived = arrived;
    assign f_first = first;
    assign f_best = best;
    assign f_best_index = best_index;
    assign f_base = base;
`endif
endmodule

`default_nettype wire
