// SPDX-License-Identifier: Apache-2.0
// ga2_sm_example: two softmaxes in a row, of 2 and of MAX_CONTEXT scores, without any choice left: covers far from the reset are
// too deep to be searched for.
`default_nettype none

module ga2_sm_example #(
    parameter N = 16,
    parameter MAX_CONTEXT = 64
) (
    input wire clk
);
    reg [15:0] cycle = 16'd0;
    always @(posedge clk) cycle <= cycle + 16'd1;

    ga2_sm_harness #(.N(N), .MAX_CONTEXT(MAX_CONTEXT)) harness (
        .clk(clk), .rst(cycle == 16'd0), .start(1'b1), .d(16'd40), .a(16'd20),
        .length(cycle == 16'd1 ? 16'd2 : MAX_CONTEXT[15:0]), .any_row({N{8'd5}}), .any_first(8'sd7), .any_second(-8'sd3)
    );
endmodule

`default_nettype wire
