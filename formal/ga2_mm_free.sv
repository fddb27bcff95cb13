// SPDX-License-Identifier: Apache-2.0
// What ga2_mm_harness puts in place of the array and of requant: outputs that are anything in every cycle. Whatever holds with
// these holds with the real ones. What the real ones make of their inputs is shown by systolic.sby and requant.sby.
`default_nettype none

module systolic #(
    parameter N = 16
) (
    input  wire clk,
    input  wire rst,
    input  wire load,
    input  wire [$clog2(N)-1:0] load_row,
    input  wire [8*N-1:0] w_in,
    input  wire en,
    input  wire [8*N-1:0] x_in,
    output wire [32*N-1:0] sum_out
);
    (* anyseq *) reg [32*N-1:0] anything;
    assign sum_out = anything;
endmodule

module requant (
    input  wire clk,
    input  wire signed [31:0] total,
    input  wire [15:0] multiplier,
    input  wire [5:0] shift,
    output wire signed [7:0] q
);
    (* anyseq *) reg [7:0] anything;
    assign q = anything;
endmodule

`default_nettype wire
