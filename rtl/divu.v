// SPDX-License-Identifier: Apache-2.0
// divu: unsigned divider, one bit of the quotient a cycle, most significant first.
//
// Ports     start, dividend, divisor → busy, done, quotient, remainder
// Protocol  start is taken when not busy; done is up in the last busy cycle, the results hold from the next cycle to the next
//           start
// Latency   W cycles busy, whatever the operands
// Zero      dividing by 0 gives a quotient of all ones and the dividend as remainder
// Reset     busy to 0, results to 0
`default_nettype none

module divu #(
    parameter W = 24
) (
    input  wire clk,
    input  wire rst,
    input  wire start,
    input  wire [W-1:0] dividend,
    input  wire [W-1:0] divisor,
`ifdef FORMAL
    output wire [$clog2(W+1)-1:0] f_left,
    output wire [W-1:0] f_by,
    output wire f_bit,
`endif
    output reg  busy,
    output wire done,
    output reg  [W-1:0] quotient,
    output reg  [W-1:0] remainder
);
    localparam CW = $clog2(W + 1);
    localparam [CW-1:0] STEPS = W[CW-1:0];

    reg [CW-1:0] left;
    reg [W-1:0] by;

    // The quotient register holds what is left of the dividend above the bits of the quotient found so far.
    wire [W:0] partial = {remainder, quotient[W-1]};
    wire fits = partial >= {1'b0, by};
    wire [W:0] reduced = partial - {1'b0, by};

`ifdef FORMAL
    assign f_left = left;
    assign f_by = by;
    assign f_bit = fits;
`endif

    assign done = busy && left == {{CW-1{1'b0}}, 1'b1};

    always @(posedge clk) begin
        if (rst) begin
            busy <= 1'b0;
            left <= {CW{1'b0}};
            by <= {W{1'b0}};
            quotient <= {W{1'b0}};
            remainder <= {W{1'b0}};
        end else if (busy) begin
            quotient <= {quotient[W-2:0], fits};
            remainder <= fits ? reduced[W-1:0] : partial[W-1:0];
            left <= left - 1'b1;
            if (done) busy <= 1'b0;
        end else if (start) begin
            busy <= 1'b1;
            left <= STEPS;
            by <= divisor;
            quotient <= dividend;
            remainder <= {W{1'b0}};
        end
    end

    // Of the reduced remainder the top bit is 0: it is smaller than the divisor, or the divisor is 0 and nothing was reduced.
    wire unused = &{1'b0, reduced[W]};
endmodule

`default_nettype wire
