// SPDX-License-Identifier: Apache-2.0
// ga2_decode_isa: which instructions are legal, read off the tables of impl/chip/isa.py and not off the RTL. A range is legal when
// its last row or word exists; all sums have 32 bits, so that nothing wraps around.
`default_nettype none

module ga2_decode_isa #(
    parameter N = 16,
    parameter SRAM_ROWS = 128,
    parameter ROWMEM_ROWS = 128,
    parameter EXTERNAL_WORDS = 8192,
    parameter MAX_CONTEXT = 64
) (
    input wire [31:0] word0, word1, word2,
    output wire [7:0] opcode, shift,
    output wire [15:0] d, a, b, length, multiplier,
    output reg legal
);
    localparam [31:0] LANES = N, SRAM = SRAM_ROWS, ROWMEM = ROWMEM_ROWS, EXTERNAL = EXTERNAL_WORDS, CONTEXT = MAX_CONTEXT;
    assign {opcode, shift, d} = word0;
    assign {a, b} = word1;
    assign {length, multiplier} = word2;

    // What lies beyond the first row or word of a range.
    wire [31:0] more = {16'd0, length} - 32'd1;
    wire [31:0] more_packed = more / LANES;
    wire [31:0] more_words = more / (LANES / 32'd4);

    function external(input [15:0] address, input [31:0] further);
        external = {16'd0, address} + further < EXTERNAL;
    endfunction

    function sram(input [15:0] address, input [31:0] further);
        sram = !address[15] && {17'd0, address[14:0]} + further < SRAM;
    endfunction

    function rowmem(input [15:0] address, input [31:0] further);
        rowmem = address[15] && {17'd0, address[14:0]} + further < ROWMEM;
    endfunction

    function either(input [15:0] address, input [31:0] further);
        either = address[15] ? rowmem(address, further) : sram(address, further);
    endfunction

    wire some = length != 0;
    wire unscaled = shift == 0 && multiplier == 0;
    wire scaled = shift >= 1 && shift <= 47;
    wire disjoint = {16'd0, a} + more_packed < {16'd0, d} || {16'd0, d} + more_packed < {16'd0, a};

    always @* case (opcode)
        8'h01: legal = {shift, d, a, b, length, multiplier} == 0;
        8'h02: legal = some && unscaled && b == 0 && either(d, more_words) && external(a, more);
        8'h03: legal = some && unscaled && b == 0 && external(d, more) && either(a, more_words);
        8'h04: legal = some && scaled && either(d, 0) && sram(a, more_packed) && either(b, more);
        8'h05: legal = some && scaled && sram(d, more_packed) && sram(a, 0) && rowmem(b, more);
        8'h06: legal = some && unscaled && b == 0 && {16'd0, length} <= CONTEXT
                       && sram(d, more_packed) && sram(a, more_packed) && (a == d || disjoint);
        8'h07: legal = some && unscaled && either(d, more) && either(a, more) && either(b, more);
        8'h08: legal = some && unscaled && b == 0 && either(d, more) && either(a, more);
        8'h09: legal = some && unscaled && b == 0 && either(d, 0) && either(a, more_packed);
        default: legal = 1'b0;
    endcase
endmodule

`default_nettype wire
