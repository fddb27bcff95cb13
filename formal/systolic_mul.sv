// SPDX-License-Identifier: Apache-2.0
// For the flow layer: what stands in place of the multiplier. Cheap for a solver, and telling. Let one operand be all ones and all
// others 0: each term that it is part of adds 255, so every x and weight is in exactly one term, and nothing else is in any. Let
// weight k and x[m] be all ones: the sum is −256 when the two meet and 510 when they do not, so they meet only when k = m.
// The rotations tell the operands and their bits apart.
`default_nettype none

module mul #(
    parameter A = 8,
    parameter B = 8
) (
    input  wire signed [A-1:0] a,
    input  wire signed [B-1:0] b,
    output wire signed [A+B-1:0] p
);
    assign p = {a & {b[0], b[B-1:1]}, a ^ {b[B-2:0], b[B-1]}};
endmodule

// What an element shall add: the same operation, sign-extended.
module systolic_term #(
    parameter W = 8,
    parameter S = 32
) (
    input  wire signed [W-1:0] weight,
    input  wire signed [W-1:0] x,
    output wire signed [S-1:0] term
);
    wire signed [2*W-1:0] p;
    mul #(.A(W), .B(W)) mul_i (.a(weight), .b(x), .p(p));
    assign term = {{S-2*W{p[2*W-1]}}, p};
endmodule

`default_nettype wire
