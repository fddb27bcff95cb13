// SPDX-License-Identifier: Apache-2.0
// sram: on-chip memory of ROWS rows of WORDS 32-bit words; one write port with an enable for each word, one read port.
//
// Ports     we, waddr, wdata · re, raddr → rdata
// Latency   rdata holds the row from the cycle after re until the cycle after the next re
// Protocol  reading and writing a row in one cycle reads the old row; addresses of ROWS and more are not allowed
// Reset     nothing; contents are what was written
`default_nettype none

module sram #(
    parameter ROWS = 128,
    parameter WORDS = 4
) (
    input  wire clk,
    input  wire [WORDS-1:0] we,
    input  wire [$clog2(ROWS)-1:0] waddr,
    input  wire [32*WORDS-1:0] wdata,
    input  wire re,
    input  wire [$clog2(ROWS)-1:0] raddr,
`ifdef FORMAL
    input  wire [$clog2(ROWS)-1:0] f_at,
    output wire [32*WORDS-1:0] f_row,
`endif
    output reg  [32*WORDS-1:0] rdata
);
    reg [32*WORDS-1:0] mem [0:ROWS-1];
    integer i;

`ifdef FORMAL
    assign f_row = mem[f_at];
`endif

    always @(posedge clk) begin
        for (i = 0; i < WORDS; i = i + 1)
            if (we[i]) mem[waddr][32*i +: 32] <= wdata[32*i +: 32];
        if (re) rdata <= mem[raddr];
    end
endmodule

`default_nettype wire
