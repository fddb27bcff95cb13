// SPDX-License-Identifier: Apache-2.0
// divu_product_harness: quotient·divisor + remainder = dividend with the product itself, at widths that solvers can do.
//
// Shown     For all dividends and divisors, 0 included, and any starts and resets.
// Build     W = 8 and W = 10, by the task
// Assumed   1 m_product_reset: rst is up in the first cycle. A chip is reset before it is used; later rst is free.
`default_nettype none

module divu_product_harness #(
    parameter W = 8
) (
    input wire clk,
    input wire rst,
    input wire start,
    input wire [W-1:0] dividend,
    input wire [W-1:0] divisor
);
    localparam CW = $clog2(W + 1);
    localparam [CW-1:0] STEPS = W[CW-1:0];

    wire busy, done, f_bit;
    wire [CW-1:0] f_left;
    wire [W-1:0] quotient, remainder, f_by;
    divu #(.W(W)) unit (
        .clk(clk), .rst(rst), .start(start), .dividend(dividend), .divisor(divisor),
        .f_left(f_left), .f_by(f_by), .f_bit(f_bit),
        .busy(busy), .done(done), .quotient(quotient), .remainder(remainder)
    );

    reg was_reset = 1'b0;
    reg active, finished;
    reg [W-1:0] n, d;
    reg [CW-1:0] step;
    always @(posedge clk) begin
        if (rst) was_reset <= 1'b1;
        if (rst || done) active <= 1'b0;
        else if (start && !active) active <= 1'b1;
        if (rst || (start && !active)) finished <= 1'b0;
        else if (done) finished <= 1'b1;
        if (start && !active) begin
            n <= dividend;
            d <= divisor;
            step <= {CW{1'b0}};
        end else if (active) step <= step + 1'b1;
    end

    always @* m_product_reset: assume (was_reset || rst);

    // At every step the bits found so far, times the divisor, and the remainder make the dividend's bits used so far.
    wire [W-1:0] bits = finished ? quotient : quotient & ~({W{1'b1}} << step);
    wire [W-1:0] above = finished ? n : n >> (STEPS - step);
    wire [2*W-1:0] product = bits * d;

    always @* if (was_reset) begin
        if (finished) a_product: assert (product + remainder == n);
        if (finished && d != 0) a_product_remainder: assert (remainder < d);

        i_product_busy: assert (busy == active);
        if (active) begin
            i_product_step: assert (step < STEPS && f_left == STEPS - step && f_by == d);
            i_product_rest: assert (quotient >> step == (n << step) >> step);
            i_product: assert (product + remainder == above);
            if (d != 0) i_product_remainder: assert (remainder < d);
        end
        c_product: cover (finished && quotient == 8'd5 && remainder == 8'd6 && d == 8'd40);
        c_product_zero: cover (finished && d == 0 && n == 8'd99);
    end
endmodule

`default_nettype wire
