// SPDX-License-Identifier: Apache-2.0
// requant: int32 → int8, clamp((total·multiplier + 2^(shift−1)) >> shift, −128, 127), half rounded up.
//
// Ports     total (signed), multiplier, shift (1 … 47) → q (signed)
// Protocol  one value a cycle, no handshake; multiplier and shift belong to both stages and must stand still while values pass
// Latency   2: the product, then the rounded, shifted and clamped result
// Reset     nothing; what comes out is what went in two cycles before
`default_nettype none

module requant (
    input  wire clk,
    input  wire signed [31:0] total,
    input  wire [15:0] multiplier,
    input  wire [5:0] shift,
    output reg  signed [7:0] q
);
    wire signed [48:0] exact;
    reg  signed [48:0] product;

    mul #(.A(32), .B(17)) mul_i (.a(total), .b({1'b0, multiplier}), .p(exact));

    // |product| < 2^47, so the rounded one fits into 49 bits.
    wire signed [48:0] rounded = product + (49'sd1 <<< (shift - 6'd1));
    wire signed [48:0] shifted = rounded >>> shift;

    always @(posedge clk) begin
        product <= exact;
        if (shifted > 49'sd127) q <= 8'sd127;
        else if (shifted < -49'sd128) q <= -8'sd128;
        else q <= shifted[7:0];
    end
endmodule

`default_nettype wire
