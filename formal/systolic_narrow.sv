// SPDX-License-Identifier: Apache-2.0
// For the narrow layer: what an element shall add is the product of two signed numbers. The array has its own multiplier there.
`default_nettype none

module systolic_term #(
    parameter W = 4,
    parameter S = 32
) (
    input  wire signed [W-1:0] weight,
    input  wire signed [W-1:0] x,
    output wire signed [S-1:0] term
);
    wire signed [2*W-1:0] product = weight * x;
    assign term = {{S-2*W{product[2*W-1]}}, product};
endmodule

`default_nettype wire
