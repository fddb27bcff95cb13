// SPDX-License-Identifier: Apache-2.0
// divu_harness: division at full width, without a multiplication: solvers get nowhere with one of 24 bits.
//
// Shown     With every bit of the quotient that divu finds, the harness takes product' = 2·product + (bit ? divisor :
//           0) and bits' = 2·bits + bit. Afterwards quotient = bits, product + remainder = dividend, remainder <
//           divisor, without an overflow anywhere. That product = bits·divisor is proved for all integers in proofs/division.py.
//           A division by 0 gives all ones and the dividend. Every division is busy for W cycles, done once, in the
//           last; the results stay until the next start. A start in an idle cycle is always taken, one in a busy cycle
//           (that of done included) changes nothing.
// Build     W = 24, the one that softmax has
// Assumed   1 m_reset: rst is up in the first cycle: a chip is reset before it is used. Later rst is free.
`default_nettype none

module divu_harness #(
    parameter W = 24
) (
    input wire clk,
    input wire rst,
    input wire start,
    input wire [W-1:0] dividend,
    input wire [W-1:0] divisor
);
    localparam CW = $clog2(W + 1);
    localparam [CW-1:0] STEPS = W[CW-1:0];
    localparam [W-1:0] ONES = {W{1'b1}};

    wire busy, done, f_bit;
    wire [CW-1:0] f_left;
    wire [W-1:0] quotient, remainder, f_by;
    divu #(.W(W)) unit (
        .clk(clk), .rst(rst), .start(start), .dividend(dividend), .divisor(divisor),
        .f_left(f_left), .f_by(f_by), .f_bit(f_bit),
        .busy(busy), .done(done), .quotient(quotient), .remainder(remainder)
    );

    reg was_reset = 1'b0;
    reg after_reset;
    reg active, finished;
    reg [W-1:0] n, d;
    reg [CW-1:0] step;    // busy cycles so far
    reg [W-1:0] bits;
    reg [W+1:0] product;  // one bit more than any 2·product + divisor needs while product is a number of W bits

    always @(posedge clk) begin
        after_reset <= rst;
        if (rst) was_reset <= 1'b1;
        if (rst || done) active <= 1'b0;
        else if (start && !active) active <= 1'b1;
        if (rst || (start && !active)) finished <= 1'b0;
        else if (done) finished <= 1'b1;
        if (start && !active) begin
            n <= dividend;
            d <= divisor;
            step <= {CW{1'b0}};
            bits <= {W{1'b0}};
            product <= {W+2{1'b0}};
        end else if (active) begin
            step <= step + 1'b1;
            bits <= {bits[W-2:0], f_bit};
            product <= {product[W:0], 1'b0} + (f_bit ? d : {W{1'b0}});
        end
    end

    always @* m_reset: assume (was_reset || rst);

    wire [W-1:0] above = n >> (STEPS - step);  // the bits of the dividend that have been used
    wire [W-1:0] found = ~(ONES << step);

    always @* if (was_reset) begin
        a_busy: assert (busy == active);
        a_done: assert (done == (active && step == STEPS - 1'b1));
        if (active) a_ends: assert (step < STEPS);
        if (after_reset) a_reset: assert (!busy && !done && quotient == 0 && remainder == 0);

        if (finished) a_quotient: assert (quotient == bits);
        if (finished) a_dividend: assert (product + remainder == n);
        if (finished && d != 0) a_remainder: assert (remainder < d);
        if (finished && d == 0) a_zero: assert (quotient == ONES && remainder == n);
        if (active || finished) a_fits: assert (product[W+1:W] == 0);

        if (active) begin
            i_left: assert (f_left == STEPS - step);
            i_divisor: assert (f_by == d);
            i_quotient: assert (quotient == ((n << step) | bits) && (bits & ~found) == 0);
            i_dividend: assert (product + remainder == above);
            if (d != 0) i_remainder: assert (remainder < d);
            if (d == 0) i_zero: assert (bits == found && product == 0);
        end
    end

    // Covers.
    reg ignored, ignored_at_done, at_once, interrupted, after_done;
    reg [1:0] divisions;
    always @(posedge clk) begin
        after_done <= done && was_reset && !rst;
        if (!was_reset) {ignored, ignored_at_done, at_once, interrupted, divisions} <= 6'd0;
        else begin
            if (start && busy && !done) ignored <= 1'b1;
            if (start && done) ignored_at_done <= 1'b1;
            if (start && after_done) at_once <= 1'b1;
            if (rst && busy && !done) interrupted <= 1'b1;
            if (done && divisions != 2'd3) divisions <= divisions + 2'd1;
        end
    end
    always @* if (was_reset) begin
        c_division: cover (finished && quotient == 24'd1000 && remainder == 24'd999 && d == 24'd1001);
        c_largest: cover (finished && quotient == ONES && d == 1);
        c_small_by_large: cover (finished && quotient == 0 && remainder == ONES - 1'b1);
        c_zero: cover (finished && d == 0 && n == 24'd5);
        c_zero_by_zero: cover (finished && d == 0 && n == 0);
        c_kept: cover (finished && !after_done && divisions == 2'd1);
        c_ignored: cover (finished && ignored);
        c_ignored_at_done: cover (finished && ignored_at_done && !busy);
        c_back_to_back: cover (finished && at_once && divisions == 2'd2);
        c_interrupted: cover (finished && interrupted);
    end
endmodule

`default_nettype wire
