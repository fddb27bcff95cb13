// SPDX-License-Identifier: Apache-2.0
// ga2_sm: softmax of `length` int8 scores into weights in 127ths, min(127, (e·R + 2^15) >> 16).
//
// States    0 idle
//           1 MAX    rows(length) + 1 cycles: the largest score, a row a cycle
//           2 SUM    length + 1 cycles: Σ of e = exp_lut(max − score), a score a cycle, the table a cycle later
//           3 DIV    DIVISION + 1 cycles: R = floor(127·2^16 / Σ)
//           4 SCALE  length + 2 cycles: e again, e·R a cycle later, rounded and packed a cycle after that
//
// Ports     start, d, a, length (1 … MAX_CONTEXT) → busy, done · r_en, r_row → r_data a cycle later · w_en, w_row, w_data: a
//           whole row, 0 beyond the last weight
// Protocol  start is taken when not busy; done is up in the last busy cycle, that of the last write. Source and destination are
//           the same rows or have none in common.
// Latency   2·length + rows(length) + DIVISION + 5
// Reset     to idle
`default_nettype none

module ga2_sm #(
    parameter N = 16,
    parameter MAX_CONTEXT = 64
) (
    input  wire clk,
    input  wire rst,
    input  wire start,
    input  wire [15:0] d,
    input  wire [15:0] a,
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
    output wire [15:0] f_count,
    output wire [15:0] f_left,
    output wire [15:0] f_from,
    output wire [15:0] f_row,
    output wire [15:0] f_to,
    output wire [$clog2(N)-1:0] f_lane,
    output wire f_arrived,
    output wire f_started,
    output wire [7:0] f_row_max,
    output wire [7:0] f_highest,
    output wire [7:0] f_below,
    output wire f_below_valid,
    output wire [$clog2(N)-1:0] f_below_lane,
    output wire [15:0] f_below_left,
    output wire [$clog2(255*MAX_CONTEXT+1)-1:0] f_total,
    output wire f_divides,
    output wire [4:0] f_steps_left,
    output wire [23:0] f_divisor,
    output wire [23:0] f_quotient,
    output wire [22:0] f_product,
    output wire f_product_valid,
    output wire [$clog2(N)-1:0] f_product_lane,
    output wire [15:0] f_product_left,
    output wire [8*N-1:0] f_packed
`endif
);
    localparam LW = $clog2(N);
    localparam DIVISION = 24;
    localparam TW = $clog2(255 * MAX_CONTEXT + 1);
    localparam [15:0] LANES = N[15:0];
    localparam [LW-1:0] LAST_LANE = {LW{1'b1}};
    localparam [DIVISION-1:0] FULL = 127 << 16;
    localparam IDLE = 3'd0, MAX = 3'd1, SUM = 3'd2, DIV = 3'd3, SCALE = 3'd4;

    reg [2:0] state;
    reg [15:0] count;        // the length of the command
    reg [15:0] left;         // scores that this state has still to look at
    reg [15:0] from;
    reg [15:0] row;          // the next row to read
    reg [15:0] to;
    reg [LW-1:0] lane;
    reg arrived;             // MAX: r_data holds a row
    reg started;             // DIV: the divider runs

    // MAX: the largest score of a row, in a tree, and of all rows so far.
    reg signed [7:0] highest;
    reg [8*N-1:0] tops;
    integer v, span;
    always @* begin
        for (v = 0; v < N; v = v + 1)
            tops[8*v +: 8] = v[15:0] < left ? r_data[8*v +: 8] : 8'h80;
        for (span = 1; span < N; span = span * 2)
            for (v = 0; v < N; v = v + 2 * span)
                if ($signed(tops[8*(v + span) +: 8]) > $signed(tops[8*v +: 8]))
                    tops[8*v +: 8] = tops[8*(v + span) +: 8];
    end
    wire signed [7:0] row_max = tops[7:0];
    wire last_row = arrived && left <= LANES;

    // SUM and SCALE: one score a cycle, then its power.
    wire looks = (state == SUM || state == SCALE) && left != 16'd0;
    wire signed [7:0] score = r_data[8*lane +: 8];
    reg [7:0] below;
    reg below_valid;
    wire [7:0] power;
    exp_lut exp_lut_i (.index(below), .value(power));

    reg [TW-1:0] total;
    wire [DIVISION-1:0] quotient;
    wire divided;
    wire divider_busy;
    wire [DIVISION-1:0] remainder;
    divu #(.W(DIVISION)) divu_i (
        .clk(clk),
        .rst(rst),
        .start(state == DIV && !started),
        .dividend(FULL),
        .divisor({{DIVISION-TW{1'b0}}, total}),
`ifdef FORMAL
        .f_left(f_steps_left),
        .f_by(f_divisor),
`endif
        .busy(divider_busy),
        .done(divided),
        .quotient(quotient),
        .remainder(remainder)
    );

    // The sum is at least 255, so R is at most 32639 and the product below 2^23.
    wire signed [24:0] exact;
    mul #(.A(9), .B(16)) mul_i (.a({1'b0, power}), .b({1'b0, quotient[14:0]}), .p(exact));
    reg [22:0] product;
    reg product_valid;
    reg [LW-1:0] product_lane;
    reg [15:0] product_left;
    wire [22:0] rounded = product + 23'd32768;
    wire [6:0] weight = rounded[22:16];
    reg [8*N-1:0] packed_row;
    wire [8*N-1:0] with_weight = packed_row | ({{8*N-7{1'b0}}, weight} << {product_lane, 3'd0});

    assign busy = state != IDLE;
    assign done = product_valid && product_left == 16'd0;
    assign w_en = product_valid && (product_lane == LAST_LANE || product_left == 16'd0);
    assign w_row = to;
    assign w_data = with_weight;

    // Reading: all rows for MAX, the first one again for SUM and SCALE, and the next one after the last lane of a row.
    wire sum_ends = state == SUM && left == 16'd0;
    wire again = (state == MAX && last_row) || sum_ends;
    wire next_row = looks && lane == LAST_LANE && left != 16'd1;
    assign r_en = state == MAX || sum_ends || next_row;
    assign r_row = again ? from : row;

    reg [LW-1:0] below_lane;
    reg [15:0] below_left;

    always @(posedge clk) begin
        if (rst) begin
            state <= IDLE;
            count <= 16'd0;
            left <= 16'd0;
            from <= 16'd0;
            row <= 16'd0;
            to <= 16'd0;
            lane <= {LW{1'b0}};
            arrived <= 1'b0;
            started <= 1'b0;
            highest <= 8'sd0;
            below <= 8'd0;
            below_valid <= 1'b0;
            below_lane <= {LW{1'b0}};
            below_left <= 16'd0;
            total <= {TW{1'b0}};
            product <= 23'd0;
            product_valid <= 1'b0;
            product_lane <= {LW{1'b0}};
            product_left <= 16'd0;
            packed_row <= {8*N{1'b0}};
        end else begin
            if (r_en) row <= r_row + 16'd1;

            below_valid <= looks;
            below <= highest - score;
            below_lane <= lane;
            below_left <= left - 16'd1;
            if (looks) begin
                lane <= lane + 1'b1;
                left <= left - 16'd1;
            end

            product <= exact[22:0];
            product_valid <= below_valid && state == SCALE;
            product_lane <= below_lane;
            product_left <= below_left;
            if (product_valid) packed_row <= w_en ? {8*N{1'b0}} : with_weight;
            if (w_en) to <= to + 16'd1;

            case (state)
                IDLE: if (start) begin
                    state <= MAX;
                    count <= length;
                    left <= length;
                    from <= a;
                    row <= a;
                    to <= d;
                    arrived <= 1'b0;
                    highest <= -8'sd128;
                end
                MAX: begin
                    arrived <= 1'b1;
                    if (arrived) begin
                        if (row_max > highest) highest <= row_max;
                        left <= left - LANES;
                    end
                    if (last_row) begin
                        state <= SUM;
                        left <= count;
                        lane <= {LW{1'b0}};
                        total <= {TW{1'b0}};
                    end
                end
                SUM: begin
                    if (below_valid) total <= total + {{TW-8{1'b0}}, power};
                    if (sum_ends) begin
                        state <= DIV;
                        started <= 1'b0;
                    end
                end
                DIV: begin
                    started <= 1'b1;
                    if (divided) begin
                        state <= SCALE;
                        left <= count;
                        lane <= {LW{1'b0}};
                    end
                end
                default: if (done) state <= IDLE;
            endcase
        end
    end

`ifdef FORMAL
    assign f_state = state;
    assign f_count = count;
    assign f_left = left;
    assign f_from = from;
    assign f_row = row;
    assign f_to = to;
    assign f_lane = lane;
    assign f_arrived = arrived;
    assign f_started = started;
    assign f_row_max = row_max;
    assign f_highest = highest;
    assign f_below = below;
    assign f_below_valid = below_valid;
    assign f_below_lane = below_lane;
    assign f_below_left = below_left;
    assign f_total = total;
    assign f_divides = divider_busy;
    assign f_quotient = quotient;
    assign f_product = product;
    assign f_product_valid = product_valid;
    assign f_product_lane = product_lane;
    assign f_product_left = product_left;
    assign f_packed = packed_row;
`endif

    wire unused = &{1'b0, exact[24:23], quotient[DIVISION-1:15], remainder, divider_busy, rounded[15:0]};
endmodule

`default_nettype wire
