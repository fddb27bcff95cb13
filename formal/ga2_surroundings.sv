// SPDX-License-Identifier: Apache-2.0
// ga2_surroundings: what the harnesses of the units and memories assume of the chip around them, asserted of ga2. `isa_*` is the
// instruction in the fields of the tables, from the words that came over the bus; `working` says that a unit has it.
`default_nettype none

module ga2_surroundings #(
    parameter N = 16,
    parameter SRAM_ROWS = 128,
    parameter ROWMEM_ROWS = 128,
    parameter EXTERNAL_WORDS = 8192,
    parameter MAX_CONTEXT = 64
) (
    input wire clk, rst, was_reset, mem_ready, mem_valid, mem_write,
    input wire [15:0] mem_addr,
    input wire [31:0] mem_wdata,
    input wire [3:0] f_start, f_busy, f_r_en, f_w_en,
    input wire [121:0] f_command,
    input wire [63:0] f_r_row, f_w_row,
    input wire [$clog2(N):0] f_r_column, f_rowmem_column,
    input wire [N/4-1:0] f_w_word, f_sram_we, f_rowmem_we,
    input wire f_sram_re, f_rowmem_re,
    input wire [15:0] f_row_read, f_row_written,
    input wire [8*N-1:0] f_r_data, f_written,
    input wire [24*N+31:0] f_w_data,
    input wire [16*N-1:0] f_read,
    input wire [17:0] f_dma_bus,
    input wire working,
    input wire [7:0] isa_opcode, isa_shift,
    input wire [15:0] isa_d, isa_a, isa_b, isa_length, isa_multiplier
);
    localparam [31:0] SRAM = SRAM_ROWS, ROWMEM = ROWMEM_ROWS, EXTERNAL = EXTERNAL_WORDS, CONTEXT = MAX_CONTEXT;
    localparam [31:0] LANES = N;

    wire copy, add, matmul_t, store;
    wire [15:0] dma_address, dma_row, length, multiplier, b, a, d;
    wire [5:0] shift;
    assign {copy, add, matmul_t, store, dma_address, dma_row, length, multiplier, shift, b, a, d} = f_command;

    // Of `further` more rows or words beyond the first: is the last one there?
    wire [31:0] more = {16'd0, length} - 32'd1;
    wire [31:0] more_packed = more / LANES;
    wire [31:0] more_words = more / (LANES / 32'd4);
    function there(input [15:0] row, input [31:0] further);
        there = {17'd0, row[14:0]} + further < (row[15] ? ROWMEM : SRAM);
    endfunction
    function in_sram(input [15:0] row, input [31:0] further);
        in_sram = !row[15] && there(row, further);
    endfunction
    function in_rowmem(input [15:0] row, input [31:0] further);
        in_rowmem = row[15] && there(row, further);
    endfunction
    // Of a row, the bits that choose the memory and the row in it: the chip carries the others nowhere.
    localparam SW = $clog2(SRAM_ROWS), RW = $clog2(ROWMEM_ROWS);
    function [15:0] of_memory(input [15:0] row);
        of_memory = row[15] ? {1'b1, {15-RW{1'b0}}, row[RW-1:0]} : {1'b0, {15-SW{1'b0}}, row[SW-1:0]};
    endfunction
    wire apart = a == d || {16'd0, a} + more_packed < {16'd0, d} || {16'd0, d} + more_packed < {16'd0, a};

    // What the unit that is busy asks of the memories.
    wire [15:0] r_row = f_busy[3] ? f_r_row[63:48] : f_busy[2] ? f_r_row[47:32] : f_busy[1] ? f_r_row[31:16] : f_r_row[15:0];
    wire [15:0] w_row = f_busy[3] ? f_w_row[63:48] : f_busy[2] ? f_w_row[47:32] : f_busy[1] ? f_w_row[31:16] : f_w_row[15:0];
    wire [N/4-1:0] w_word = f_busy[0] ? f_w_word : {N/4{1'b1}};
    wire [8*N-1:0] w_data = f_busy[3] ? f_w_data[24*N+31:16*N+32] : f_busy[2] ? f_w_data[16*N+31:8*N+32]
                          : f_busy[1] ? f_w_data[8*N+31:32] : {N/4{f_w_data[31:0]}};
    wire reads = f_r_en != 0, writes = f_w_en != 0;

    reg past, past_waits, past_rowmem_read, past_reads, past_write;
    reg [15:0] past_addr;
    reg [31:0] past_wdata;
    reg [8*N-1:0] past_r_data;
    reg read_rowmem;
    initial past = 1'b0;
    always @(posedge clk) begin
        past <= was_reset && !rst;
        past_waits <= mem_valid && !mem_ready;
        past_write <= mem_write;
        past_addr <= mem_addr;
        past_wdata <= mem_wdata;
        past_reads <= reads;
        past_rowmem_read <= r_row[15];
        past_r_data <= f_r_data;
        if (rst) read_rowmem <= 1'b0;
        else if (reads) read_rowmem <= r_row[15];
    end

    always @* if (was_reset) begin
        // Commands.
        if (f_start != 0) begin
            a_start_idle: assert (f_busy == 0);
            a_start_one: assert ((f_start & (f_start - 4'd1)) == 0);
            a_command: assert (f_start == (isa_opcode <= 3 ? 4'd1 : isa_opcode <= 5 ? 4'd2 : isa_opcode == 6 ? 4'd4 : 4'd8)
                               && {store, matmul_t} == {isa_opcode == 3, isa_opcode == 5}
                               && {add, copy} == {isa_opcode == 7, isa_opcode == 8}
                               && length == isa_length
                               && (!f_start[0] || {dma_address, dma_row} == (store ? {isa_d, isa_a} : {isa_a, isa_d}))
                               && (!f_start[1] || {isa_shift, multiplier} == {2'd0, shift, isa_multiplier})
                               && (f_start[0] || {a, d} == {isa_a, isa_d}) && (!f_start[1] && !f_start[3] || b == isa_b));
        end
        if (f_start[0]) begin
            a_dma_length: assert (length != 0);
            a_dma_operands: assert ({16'd0, dma_address} + more < EXTERNAL && there(dma_row, more_words));
        end
        if (f_start[1]) begin
            a_mm_length: assert (length != 0);
            a_mm_shift: assert (shift >= 1 && shift <= 47);
            a_mm_operands: assert (matmul_t ? in_sram(d, more_packed) && in_sram(a, 0) && in_rowmem(b, more)
                                            : there(d, 0) && in_sram(a, more_packed) && there(b, more));
        end
        if (f_start[2]) begin
            a_sm_length: assert (length != 0 && {16'd0, length} <= CONTEXT);
            a_sm_operands: assert (in_sram(d, more_packed) && in_sram(a, more_packed) && apart);
        end
        if (f_start[3]) begin
            a_vec_length: assert (length != 0);
            a_vec_operands: assert (add ? there(d, more) && there(a, more) && there(b, more)
                                    : copy ? there(d, more) && there(a, more) : there(d, 0) && there(a, more_packed));
        end

        // What a unit asks of a memory is what that memory is asked, and nothing else is asked.
        a_reads: assert ({f_rowmem_re, f_sram_re} == (reads ? (r_row[15] ? 2'd2 : 2'd1) : 2'd0)
                         && (!reads || (of_memory(f_row_read) == of_memory(r_row)
                             && f_rowmem_column == {f_busy[1] && f_r_column[$clog2(N)], f_r_column[$clog2(N)-1:0]})));
        a_writes: assert (f_sram_we == (writes && !w_row[15] ? w_word : {N/4{1'b0}})
                          && f_rowmem_we == (writes && w_row[15] ? w_word : {N/4{1'b0}})
                          && (!writes || (of_memory(f_row_written) == of_memory(w_row) && f_written == w_data)));
        if (reads) a_read_exists: assert (there(r_row, 0));
        if (writes) a_write_exists: assert (there(w_row, 0));
        if (f_rowmem_column[$clog2(N)] && f_rowmem_re) a_column_in_mm: assert (f_busy[1]);
        if (past && past_reads)
            a_read_data_next_cycle: assert (f_r_data == (past_rowmem_read ? f_read[16*N-1:8*N] : f_read[8*N-1:0]));
        if (past && !past_reads) a_read_data_stays: assert (f_r_data == past_r_data);
        i_from: assert (f_r_data == (read_rowmem ? f_read[16*N-1:8*N] : f_read[8*N-1:0]));

        // The external port.
        if (past && past_waits) a_bus_stands_still: assert (mem_valid && mem_write == past_write && mem_addr == past_addr
                                                           && (!mem_write || mem_wdata == past_wdata));
        if (mem_valid) a_bus_inside: assert ({16'd0, mem_addr} < EXTERNAL);
        if (f_busy[0]) a_bus_to_dma: assert ({mem_valid, mem_write && mem_valid} == {f_dma_bus[17], &f_dma_bus[17:16]}
                                             && (!mem_valid || mem_addr == f_dma_bus[15:0]));
    end
endmodule

`default_nettype wire
