// SPDX-License-Identifier: Apache-2.0
// mul: the multiplier, signed × signed, in a module of its own so that a proof can put something simpler in its place.
//
// Ports     a (A bits), b (B bits) → p = a·b (A + B bits, exact)
// Latency   none, combinational
// Reset     nothing
`default_nettype none

module mul #(
    parameter A = 8,
    parameter B = 8
) (
    input  wire signed [A-1:0] a,
    input  wire signed [B-1:0] b,
    output wire signed [A+B-1:0] p
);
    wire signed [A+B-1:0] wide_a = {{B{a[A-1]}}, a};
    wire signed [A+B-1:0] wide_b = {{A{b[B-1]}}, b};
    assign p = wide_a * wide_b;
endmodule

`default_nettype wire
