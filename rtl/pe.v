// SPDX-License-Identifier: Apache-2.0
// pe: one processing element of the array. It keeps a weight, hands x on to the right and the sum on downwards.
//
// Ports     load, w_in: replace the weight · en: take a step · x_in → x_out · sum_in → sum_out
// Latency   1: in a step, x_out' = x_in and sum_out' = sum_in + weight·x_in, with the weight from before the edge
// Reset     weight, x_out and sum_out to 0
`default_nettype none

module pe (
    input  wire clk,
    input  wire rst,
    input  wire load,
    input  wire signed [7:0] w_in,
    input  wire en,
    input  wire signed [7:0] x_in,
    input  wire signed [31:0] sum_in,
    output reg  signed [7:0] x_out,
    output reg  signed [31:0] sum_out
);
    reg signed [7:0] weight;
    wire signed [15:0] product;

    mul #(.A(8), .B(8)) mul_i (.a(weight), .b(x_in), .p(product));

    always @(posedge clk) begin
        if (rst) begin
            weight <= 8'sd0;
            x_out <= 8'sd0;
            sum_out <= 32'sd0;
        end else begin
            if (load) weight <= w_in;
            if (en) begin
                x_out <= x_in;
                sum_out <= sum_in + {{16{product[15]}}, product};
            end
        end
    end
endmodule

`default_nettype wire
