// SPDX-License-Identifier: Apache-2.0
// mul, in the proofs of ga2_sm that are not about factors: a "product" that is anything in every cycle. Whatever holds with
// this holds with the real multiplication.
`default_nettype none

module mul #(
    parameter A = 9,
    parameter B = 16
) (
    input wire signed [A-1:0] a,
    input wire signed [B-1:0] b,
    output wire signed [A+B-1:0] p
);
    (* anyseq *) reg signed [A+B-1:0] anything;
    assign p = anything;
endmodule

`default_nettype wire
