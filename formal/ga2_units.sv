// SPDX-License-Identifier: Apache-2.0
// ga2_units: stand-ins for the units and the memories of the chip, with the same ports: every output is free in every cycle.
// What ga2_contract.sv assumes of them is all that the proofs of ga2 know about a unit; the unit's own harness proves it.
// While a unit writes nothing, its write data, row and words, which then reach nobody, tell what its ports get, for the harness.
// The decoder's stand-in reads the tables of the instruction set: ga2_decode_harness.sv proves that the decoder does as they say.
`default_nettype none

module ga2_decode #(
    parameter N = 16,
    parameter SRAM_ROWS = 128,
    parameter ROWMEM_ROWS = 128,
    parameter EXTERNAL_WORDS = 8192,
    parameter MAX_CONTEXT = 64
) (
    input wire [31:0] word0, word1, word2,
    output wire [15:0] d, a, b, length, multiplier,
    output wire [5:0] shift,
    output wire halt, load, store, matmul, matmul_t, softmax, add, copy, argmax, legal
);
    wire [7:0] opcode, wide_shift;
    assign shift = wide_shift[5:0];
    assign {halt, load, store, matmul, matmul_t} = {opcode == 1, opcode == 2, opcode == 3, opcode == 4, opcode == 5};
    assign {softmax, add, copy, argmax} = {opcode == 6, opcode == 7, opcode == 8, opcode == 9};
    ga2_decode_isa #(
        .N(N), .SRAM_ROWS(SRAM_ROWS), .ROWMEM_ROWS(ROWMEM_ROWS), .EXTERNAL_WORDS(EXTERNAL_WORDS), .MAX_CONTEXT(MAX_CONTEXT)
    ) isa_i (
        .word0(word0), .word1(word1), .word2(word2), .opcode(opcode), .shift(wide_shift),
        .d(d), .a(a), .b(b), .length(length), .multiplier(multiplier), .legal(legal)
    );
endmodule

module dma #(
    parameter WORDS = 4
) (
    input wire clk, rst, start, store,
    input wire [15:0] row, address, length,
    output wire busy, done, mem_valid, mem_write,
    output wire [15:0] mem_addr,
    output wire [31:0] mem_wdata,
    input wire mem_ready,
    input wire [31:0] mem_rdata,
    output wire w_en,
    output wire [15:0] w_row,
    output wire [WORDS-1:0] w_word,
    output wire [31:0] w_data,
    output wire r_en,
    output wire [15:0] r_row,
    input wire [32*WORDS-1:0] r_data
);
    assign busy = $anyseq;
    assign done = $anyseq;
    assign mem_valid = $anyseq;
    assign mem_write = $anyseq;
    assign mem_addr = $anyseq;
    assign mem_wdata = $anyseq;
    assign w_en = $anyseq;
    wire [15:0] any_row = $anyseq;
    wire [WORDS-1:0] any_word = $anyseq;
    wire [31:0] any_data = $anyseq;
    assign w_row = w_en ? any_row : length;
    assign w_word = w_en ? any_word : {store, start};
    assign w_data = w_en ? any_data : {address, row};
    assign r_en = $anyseq;
    assign r_row = $anyseq;
endmodule

module ga2_mm #(
    parameter N = 16
) (
    input wire clk, rst, start, transposed,
    input wire [15:0] d, a, b, length, multiplier,
    input wire [5:0] shift,
    output wire busy, done, r_en,
    output wire [15:0] r_row,
    output wire r_by_column,
    output wire [$clog2(N)-1:0] r_column,
    input wire [8*N-1:0] r_data,
    output wire w_en,
    output wire [15:0] w_row,
    output wire [8*N-1:0] w_data
);
    assign busy = $anyseq;
    assign done = $anyseq;
    assign r_en = $anyseq;
    assign r_row = $anyseq;
    assign r_by_column = $anyseq;
    assign r_column = $anyseq;
    assign w_en = $anyseq;
    assign w_row = $anyseq;
    wire [8*N-1:0] any_data = $anyseq;
    assign w_data = w_en ? any_data : {start, transposed, length, multiplier, shift, b, a, d};
endmodule

module ga2_sm #(
    parameter N = 16,
    parameter MAX_CONTEXT = 64
) (
    input wire clk, rst, start,
    input wire [15:0] d, a, length,
    output wire busy, done, r_en,
    output wire [15:0] r_row,
    input wire [8*N-1:0] r_data,
    output wire w_en,
    output wire [15:0] w_row,
    output wire [8*N-1:0] w_data
);
    assign busy = $anyseq;
    assign done = $anyseq;
    assign r_en = $anyseq;
    assign r_row = $anyseq;
    assign w_en = $anyseq;
    assign w_row = $anyseq;
    wire [8*N-1:0] any_data = $anyseq;
    assign w_data = w_en ? any_data : {start, length, a, d};
endmodule

module ga2_vec #(
    parameter N = 16
) (
    input wire clk, rst, start, add, copy,
    input wire [15:0] d, a, b, length,
    output wire busy, done, r_en,
    output wire [15:0] r_row,
    input wire [8*N-1:0] r_data,
    output wire w_en,
    output wire [15:0] w_row,
    output wire [8*N-1:0] w_data
);
    assign busy = $anyseq;
    assign done = $anyseq;
    assign r_en = $anyseq;
    assign r_row = $anyseq;
    assign w_en = $anyseq;
    assign w_row = $anyseq;
    wire [8*N-1:0] any_data = $anyseq;
    assign w_data = w_en ? any_data : {start, copy, add, length, b, a, d};
endmodule

module sram #(
    parameter ROWS = 128,
    parameter WORDS = 4
) (
    input wire clk,
    input wire [WORDS-1:0] we,
    input wire [$clog2(ROWS)-1:0] waddr,
    input wire [32*WORDS-1:0] wdata,
    input wire re,
    input wire [$clog2(ROWS)-1:0] raddr,
    output wire [32*WORDS-1:0] rdata
);
    assign rdata = $anyseq;
endmodule

module rowmem #(
    parameter ROWS = 128,
    parameter N = 16
) (
    input wire clk,
    input wire [N/4-1:0] we,
    input wire [$clog2(ROWS)-1:0] waddr,
    input wire [8*N-1:0] wdata,
    input wire re, by_column,
    input wire [$clog2(ROWS)-1:0] raddr,
    input wire [$clog2(N)-1:0] rcolumn,
    output wire [8*N-1:0] rdata
);
    assign rdata = $anyseq;
endmodule

`default_nettype wire
