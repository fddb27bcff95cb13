// SPDX-License-Identifier: Apache-2.0
// ga2_decode: the fields of an instruction, which unit it is for, and whether it is legal.
//
//            31 … 24    23 … 16    15 … 0
//   word 0   opcode     shift      d
//   word 1   a (31 … 16)           b
//   word 2   length (31 … 16)      multiplier
//
// A row address has bit 15 clear for sram and set for rowmem. Address ranges are added up in 18 bits: nothing wraps around.
// Fields that an instruction does not use have to be 0, and a length may not be.
//
// Ports     word0, word1, word2 → the fields; one of halt, load, store, matmul, matmul_t, softmax, add, copy, argmax; legal
// Latency   none, combinational
// Reset     nothing
`default_nettype none

module ga2_decode #(
    parameter N = 16,
    parameter SRAM_ROWS = 128,
    parameter ROWMEM_ROWS = 128,
    parameter EXTERNAL_WORDS = 8192,
    parameter MAX_CONTEXT = 64
) (
    input  wire [31:0] word0,
    input  wire [31:0] word1,
    input  wire [31:0] word2,
    output wire [15:0] d,
    output wire [15:0] a,
    output wire [15:0] b,
    output wire [15:0] length,
    output wire [15:0] multiplier,
    output wire [5:0] shift,
    output wire halt,
    output wire load,
    output wire store,
    output wire matmul,
    output wire matmul_t,
    output wire softmax,
    output wire add,
    output wire copy,
    output wire argmax,
    output wire legal
);
    localparam [17:0] SRAM = SRAM_ROWS[17:0];
    localparam [17:0] ROWMEM = ROWMEM_ROWS[17:0];
    localparam [17:0] EXTERNAL = EXTERNAL_WORDS[17:0];
    localparam [15:0] LONGEST = MAX_CONTEXT[15:0];
    localparam [17:0] LANES = N[17:0];
    localparam [17:0] WORDS = LANES >> 2;

    wire [7:0] opcode = word0[31:24];
    wire [7:0] wide_shift = word0[23:16];
    assign d = word0[15:0];
    assign a = word1[31:16];
    assign b = word1[15:0];
    assign length = word2[31:16];
    assign multiplier = word2[15:0];
    assign shift = wide_shift[5:0];

    assign halt = opcode == 8'h01;
    assign load = opcode == 8'h02;
    assign store = opcode == 8'h03;
    assign matmul = opcode == 8'h04;
    assign matmul_t = opcode == 8'h05;
    assign softmax = opcode == 8'h06;
    assign add = opcode == 8'h07;
    assign copy = opcode == 8'h08;
    assign argmax = opcode == 8'h09;

    // How far each address reaches.
    wire [17:0] count = {2'd0, length};
    wire [17:0] packed_rows = (count + LANES - 18'd1) >> $clog2(N);
    wire [17:0] word_rows = (count + WORDS - 18'd1) >> $clog2(N / 4);

    function in_external(input [15:0] address, input [17:0] words);
        in_external = {2'd0, address} + words <= EXTERNAL;
    endfunction

    function in_sram(input [15:0] address, input [17:0] rows);
        in_sram = !address[15] && {2'd0, address} + rows <= SRAM;
    endfunction

    function in_rowmem(input [15:0] address, input [17:0] rows);
        in_rowmem = address[15] && {3'd0, address[14:0]} + rows <= ROWMEM;
    endfunction

    function in_either(input [15:0] address, input [17:0] rows);
        in_either = in_sram(address, rows) || in_rowmem(address, rows);
    endfunction

    wire scaled = matmul || matmul_t;
    wire no_scale = wide_shift == 8'd0 && multiplier == 16'd0;
    wire good_scale = wide_shift >= 8'd1 && wide_shift <= 8'd47;
    wire no_b = b == 16'd0;
    wire some = length != 16'd0;

    // A softmax in place is fine; otherwise source and destination have no row in common.
    wire apart = a == d || {2'd0, a} >= {2'd0, d} + packed_rows || {2'd0, d} >= {2'd0, a} + packed_rows;

    wire legal_halt = d == 16'd0 && a == 16'd0 && no_b && !some;
    wire legal_load = some && no_b && in_either(d, word_rows) && in_external(a, count);
    wire legal_store = some && no_b && in_external(d, count) && in_either(a, word_rows);
    wire legal_matmul = some && in_either(d, 18'd1) && in_sram(a, packed_rows) && in_either(b, count);
    wire legal_matmul_t = some && in_sram(d, packed_rows) && in_sram(a, 18'd1) && in_rowmem(b, count);
    wire legal_softmax = some && no_b && length <= LONGEST && in_sram(d, packed_rows) && in_sram(a, packed_rows) && apart;
    wire legal_add = some && in_either(d, count) && in_either(a, count) && in_either(b, count);
    wire legal_copy = some && no_b && in_either(d, count) && in_either(a, count);
    wire legal_argmax = some && no_b && in_either(d, 18'd1) && in_either(a, packed_rows);

    assign legal = (scaled ? good_scale : no_scale) && (
        (halt && legal_halt) || (load && legal_load) || (store && legal_store) ||
        (matmul && legal_matmul) || (matmul_t && legal_matmul_t) || (softmax && legal_softmax) ||
        (add && legal_add) || (copy && legal_copy) || (argmax && legal_argmax));
endmodule

`default_nettype wire
