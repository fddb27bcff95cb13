// SPDX-License-Identifier: Apache-2.0
// rowmem: row memory. Write a row, read a row, or read one column of N consecutive rows: Kᵀ without a transpose.
//
// N banks of one byte each. Element (r, c) lies in bank (r + c) mod N at address r, so that the elements of a row and those
// of a column slice all lie in different banks. Reading rotates the banks back into order.
//
// Ports     we (one bit for every 4 bytes), waddr, wdata · re, by_column, raddr, rcolumn → rdata
//           by_column = 0: rdata[c] = element (raddr, c); by_column = 1: rdata[i] = element (raddr + i, rcolumn)
// Latency   rdata holds from the cycle after re until the cycle after the next re
// Protocol  reading and writing an element in one cycle reads the old one; waddr and raddr below ROWS, a column slice may reach
//           beyond the last row and then gives anything there; N is a power of two, ROWS ≥ N
// Reset     nothing; contents are what was written
`default_nettype none

module rowmem #(
    parameter ROWS = 128,
    parameter N = 16
) (
    input  wire clk,
    input  wire [N/4-1:0] we,
    input  wire [$clog2(ROWS)-1:0] waddr,
    input  wire [8*N-1:0] wdata,
    input  wire re,
    input  wire by_column,
    input  wire [$clog2(ROWS)-1:0] raddr,
    input  wire [$clog2(N)-1:0] rcolumn,
`ifdef FORMAL
    input  wire [$clog2(ROWS)-1:0] f_row,
    input  wire [$clog2(N)-1:0] f_column,
    output wire [7:0] f_element,
`endif
    output wire [8*N-1:0] rdata
);
    localparam AW = $clog2(ROWS);
    localparam LW = $clog2(N);

    wire [LW-1:0] column = by_column ? rcolumn : {LW{1'b0}};
    wire [LW-1:0] turn = raddr[LW-1:0] + column;
    reg  [LW-1:0] turned;
    wire [8*N-1:0] banks;

    always @(posedge clk) if (re) turned <= turn;

`ifdef FORMAL
    wire [8*N-1:0] f_banks;
    wire [LW-1:0] f_bank = f_row[LW-1:0] + f_column;
    assign f_element = f_banks[8*f_bank +: 8];
`endif

    genvar g;
    generate
        for (g = 0; g < N; g = g + 1) begin : bank
            localparam [LW-1:0] SELF = g[LW-1:0];
            reg  [7:0] mem [0:ROWS-1];
            reg  [7:0] q;
            wire [LW-1:0] wcolumn = SELF - waddr[LW-1:0];
            wire [LW-1:0] ahead = by_column ? SELF - turn : {LW{1'b0}};
            wire [AW-1:0] from = raddr + {{AW-LW{1'b0}}, ahead};
            wire [LW-1:0] shown = SELF + turned;

            always @(posedge clk) begin
                if (we[wcolumn[LW-1:2]]) mem[waddr] <= wdata[8*wcolumn +: 8];
                if (re) q <= mem[from];
            end

`ifdef FORMAL
            assign f_banks[8*g +: 8] = mem[f_row];
`endif
            assign banks[8*g +: 8] = q;
            assign rdata[8*g +: 8] = banks[8*shown +: 8];
        end
    endgenerate
endmodule

`default_nettype wire
