// SPDX-License-Identifier: Apache-2.0
// pe: one processing element of the array. It keeps a weight, hands x on to the right and the sum on downwards.
//
// Ports     load, w_in: replace the weight · en: take a step · x_in → x_out · sum_in → sum_out
// Latency   1: in a step, x_out' = x_in and sum_out' = sum_in + weight·x_in, with the weight from before the edge
// Widths    W bits for weight and x, S for sums; the chip has 8 and 32, S > 2·W
// Reset     weight, x_out and sum_out to 0
`default_nettype none

module pe #(
    parameter W = 8,
    parameter S = 32
) (
    input  wire clk,
    input  wire rst,
    input  wire load,
    input  wire signed [W-1:0] w_in,
    input  wire en,
    input  wire signed [W-1:0] x_in,
    input  wire signed [S-1:0] sum_in,
    output reg  signed [W-1:0] x_out,
    output reg  signed [S-1:0] sum_out
`ifdef FORMAL
    ,
    output wire [W-1:0] f_weight
`endif
);
    reg signed [W-1:0] weight;
    wire signed [2*W-1:0] product;

    mul #(.A(W), .B(W)) mul_i (.a(weight), .b(x_in), .p(product));

    always @(posedge clk) begin
        if (rst) begin
            weight <= {W{1'b0}};
            x_out <= {W{1'b0}};
            sum_out <= {S{1'b0}};
        end else begin
            if (load) weight <= w_in;
            if (en) begin
                x_out <= x_in;
                sum_out <= sum_in + {{S-2*W{product[2*W-1]}}, product};
            end
        end
    end

`ifdef FORMAL
    assign f_weight = weight;
`endif
endmodule

`default_nettype wire
