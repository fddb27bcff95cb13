// SPDX-License-Identifier: Apache-2.0
// requant_harness: requant against its formula, for every total, multiplier and shift.
//
// Shown     q = clamp((total·multiplier + 2^(shift-1)) >> shift, -128, 127), two cycles after total and multiplier, one
//           after shift: nothing needs to stand still. A new value may come in every cycle. The product is taken in 49
//           bits, where it is exact: its size is at most 2^31·(2^16 - 1) < 2^47. All the rest is taken in 64 bits.
// Build     has no parameters
// Assumed   nothing; of a shift of 0, or of more than 47, nothing is said: decode refuses it
`default_nettype none

module requant_harness (
    input wire clk,
    input wire signed [31:0] total,
    input wire [15:0] multiplier,
    input wire [5:0] shift
);
    wire signed [7:0] q;
    requant unit (.clk(clk), .total(total), .multiplier(multiplier), .shift(shift), .q(q));

    wire signed [48:0] wide_total = {{17{total[31]}}, total};
    wire signed [48:0] wide_multiplier = {33'd0, multiplier};

    // The inputs of the cycle before, and what should come out.
    reg [1:0] filled = 2'd0;
    reg signed [48:0] product;
    reg signed [31:0] before_total, total_2;
    reg [15:0] before_multiplier, multiplier_2;
    reg [5:0] shift_2;
    reg signed [63:0] result;
    reg legal;

    wire signed [63:0] wide_product = {{15{product[48]}}, product};
    wire signed [63:0] half = 64'sd1 <<< (shift - 6'd1);
    always @(posedge clk) begin
        if (filled != 2'd2) filled <= filled + 2'd1;
        product <= wide_total * wide_multiplier;
        before_total <= total;
        before_multiplier <= multiplier;
        total_2 <= before_total;
        multiplier_2 <= before_multiplier;
        shift_2 <= shift;
        result <= (wide_product + half) >>> shift;
        legal <= shift >= 6'd1 && shift <= 6'd47;
    end

    always @* if (filled == 2'd2 && legal) begin
        if (result >= -64'sd128 && result <= 64'sd127) a_between: assert (q == result);
        if (result > 64'sd127) a_above: assert (q == 8'sd127);
        if (result < -64'sd128) a_below: assert (q == -8'sd128);
    end

    // Covers.
    always @* if (filled == 2'd2 && legal) begin
        c_above: cover (result == 64'sd128);
        c_below: cover (result == -64'sd129);
        c_highest: cover (result == 64'sd127 && shift_2 == 6'd20);
        c_lowest: cover (result == -64'sd128 && shift_2 == 6'd20);
        c_half_up: cover (total_2 == 32'sd5 && multiplier_2 == 16'd1 && shift_2 == 6'd1 && q == 8'sd3);
        c_minus_half_up: cover (total_2 == -32'sd5 && multiplier_2 == 16'd1 && shift_2 == 6'd1 && q == -8'sd2);
        c_largest: cover (total_2 == 32'h7fffffff && multiplier_2 == 16'hffff && shift_2 == 6'd47 && q == 8'sd1);
        c_smallest: cover (total_2 == 32'h80000000 && multiplier_2 == 16'hffff && shift_2 == 6'd41 && q == -8'sd64);
        c_every_cycle: cover (total_2 == 32'sd9 && before_total == -32'sd9 && q == 8'sd9 && total == 32'sd1);
    end
endmodule

`default_nettype wire
