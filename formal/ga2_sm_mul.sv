// SPDX-License-Identifier: Apache-2.0
// mul, in the proof of the factors of ga2_sm: the "product" is its two factors side by side. Where the unit has this pair, the
// real multiplication gives the product of the two: neither looks at anything else.
`default_nettype none

module mul #(
    parameter A = 9,
    parameter B = 16
) (
    input wire signed [A-1:0] a,
    input wire signed [B-1:0] b,
    output wire signed [A+B-1:0] p
);
    assign p = {2'b00, a[A-2:0], b[B-2:0]};
    always @* a_factors: assert (!a[A-1] && !b[B-1]);
endmodule

`default_nettype wire
