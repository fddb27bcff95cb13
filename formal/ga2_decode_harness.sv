// SPDX-License-Identifier: Apache-2.0
// ga2_decode_harness: all 2^96 instructions, decoded by the chip and by the tables of impl/chip/isa.py (ga2_decode_isa.sv).
//
// Shown     The fields come out where the table has them; an instruction is for exactly one operation when its opcode exists and
//           for none otherwise; it is legal in the RTL if and only if it is in the tables.
// Builds    the default one (N = 16, 128 and 128 rows, 8,192 words, context 64); the small one of the tests (8, 32, 16, 512, 20)
//           with SMALL defined; with LARGEST the largest that the instruction set can address (16, 2^15, 2^15, 2^16, 65,535),
//           where sums would wrap first; with TINY the one of 8 words of ga2_harness
// Assumed   nothing
`default_nettype none

module ga2_decode_harness (
    input wire [31:0] word0, word1, word2
);
`ifdef SMALL
    localparam N = 8, SRAM_ROWS = 32, ROWMEM_ROWS = 16, EXTERNAL_WORDS = 512, MAX_CONTEXT = 20;
`elsif LARGEST
    localparam N = 16, SRAM_ROWS = 32768, ROWMEM_ROWS = 32768, EXTERNAL_WORDS = 65536, MAX_CONTEXT = 65535;
`elsif TINY
    localparam N = 16, SRAM_ROWS = 128, ROWMEM_ROWS = 128, EXTERNAL_WORDS = 8, MAX_CONTEXT = 64;
`else
    localparam N = 16, SRAM_ROWS = 128, ROWMEM_ROWS = 128, EXTERNAL_WORDS = 8192, MAX_CONTEXT = 64;
`endif
    wire [15:0] d, a, b, length, multiplier;
    wire [5:0] shift;
    wire halt, load, store, matmul, matmul_t, softmax, add, copy, argmax, legal;
    ga2_decode #(
        .N(N), .SRAM_ROWS(SRAM_ROWS), .ROWMEM_ROWS(ROWMEM_ROWS), .EXTERNAL_WORDS(EXTERNAL_WORDS), .MAX_CONTEXT(MAX_CONTEXT)
    ) decode_i (.*);

    wire isa_legal;
    wire [7:0] isa_opcode, isa_shift;
    wire [15:0] isa_d, isa_a, isa_b, isa_length, isa_multiplier;
    ga2_decode_isa #(
        .N(N), .SRAM_ROWS(SRAM_ROWS), .ROWMEM_ROWS(ROWMEM_ROWS), .EXTERNAL_WORDS(EXTERNAL_WORDS), .MAX_CONTEXT(MAX_CONTEXT)
    ) isa_i (
        .word0(word0), .word1(word1), .word2(word2), .opcode(isa_opcode), .shift(isa_shift),
        .d(isa_d), .a(isa_a), .b(isa_b), .length(isa_length), .multiplier(isa_multiplier), .legal(isa_legal)
    );

    wire [8:0] operation = {argmax, copy, add, softmax, matmul_t, matmul, store, load, halt};
    wire exists = isa_opcode >= 1 && isa_opcode <= 9;

    always @* begin
        a_fields: assert ({d, a, b, length, multiplier} == {isa_d, isa_a, isa_b, isa_length, isa_multiplier}
                          && shift == isa_shift[5:0]);
        a_operation: assert (operation == (exists ? 9'd1 << (isa_opcode - 8'd1) : 9'd0));
        a_legal: assert (legal == isa_legal);
    end

    always @* begin
        c_legal_halt: cover (halt && legal);
        c_legal_load: cover (load && legal && d[15] && length == 512);
        c_legal_store: cover (store && legal && !a[15] && length == 512);
        c_legal_matmul: cover (matmul && legal && d[15] && b[15] && length == 128);
        c_legal_matmul_t: cover (matmul_t && legal && length == 128);
        c_legal_softmax: cover (softmax && legal && a == d && length == 64);
        c_legal_softmax_apart: cover (softmax && legal && a == d + 4 && length == 64);
        c_legal_add: cover (add && legal && d[15] && !a[15] && b[15] && length == 128);
        c_legal_copy: cover (copy && legal && d[15] && !a[15] && length == 128);
        c_legal_argmax: cover (argmax && legal && length == 2048);
        c_illegal_range: cover (load && !legal && length == 1 && d == 128);
        c_illegal_wrap: cover (load && !legal && {1'b0, a} + {1'b0, length} > 17'h10000 && d == 0 && length < 512 && b == 0);
        c_illegal_length: cover (copy && !legal && length == 0);
        c_illegal_overlap: cover (softmax && !legal && a == d + 1 && length == 64);
        c_illegal_opcode: cover (!exists && !legal);
    end
endmodule

`default_nettype wire
