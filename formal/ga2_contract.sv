// SPDX-License-Identifier: Apache-2.0
// ga2_contract: what the proofs of ga2 assume of its units and memories (stand-ins in ga2_units.sv). The harness of each unit
// proves it of the real one; the operands are those at the ports of the unit, in the cycle in which it takes its command.
//
// Assumed   1 m_busy, m_done: busy for exactly the cycles of cost.py after a start when not busy, for dma plus one for every
//             cycle in which it waits for the external memory; done in the last of them. `left` counts the rest.
//           2 m_quiet: what is not busy asks for nothing, on chip and outside; dma asks for no row while it waits
//           3 m_dma_bus: dma writes to the external memory only for a store, inside the range of its command, and what it asks
//             for stands still until taken, its data as long as r_data does
//           4 m_dma_rows, m_mm_rows, m_sm_rows, m_vec_rows: rows are read and written inside the ranges of the command
//           5 m_memories_hold: what a memory shows stays until the next read
`default_nettype none

module ga2_contract #(
    parameter N = 16
) (
    input wire clk, rst, mem_ready,
    input wire [31:0] mem_wdata,
    input wire [3:0] f_start, f_busy, f_done, f_r_en, f_w_en,
    input wire [121:0] f_command,
    input wire [63:0] f_r_row, f_w_row,
    input wire [$clog2(N):0] f_r_column,
    input wire f_sram_re, f_rowmem_re,
    input wire [16*N-1:0] f_read,
    input wire [8*N-1:0] f_r_data,
    input wire [17:0] f_dma_bus,
    output reg [31:0] left_dma, left_mm, left_sm, left_vec,
    output wire [99:0] has
);
    `include "cost.svh"

    wire copy, add, matmul_t, store;
    wire [15:0] dma_address, dma_row, length, multiplier, b, a, d;
    wire [5:0] shift;
    assign {copy, add, matmul_t, store, dma_address, dma_row, length, multiplier, shift, b, a, d} = f_command;
    wire [31:0] n = {16'd0, length};

    // The commands that the units have, and the busy cycles that are left.
    reg has_store, has_t, has_add, has_copy;
    reg [15:0] has_address, has_row, has_length, has_b, has_a, has_d;
    assign has = {has_store, has_t, has_add, has_copy, has_address, has_row, has_length, has_b, has_a, has_d};
    wire dma_valid, dma_write;
    wire [15:0] dma_addr;
    assign {dma_valid, dma_write, dma_addr} = f_dma_bus;
    wire dma_waits = dma_valid && !mem_ready;

    always @(posedge clk) begin
        if (rst) begin
            {left_dma, left_mm, left_sm, left_vec} <= 128'd0;
        end else begin
            if (left_dma != 0) left_dma <= left_dma - {31'd0, !dma_waits};
            else if (f_start[0]) left_dma <= store ? cost_store(n) : cost_load(n);
            if (left_mm != 0) left_mm <= left_mm - 32'd1;
            else if (f_start[1]) left_mm <= cost_matmul(n);
            if (left_sm != 0) left_sm <= left_sm - 32'd1;
            else if (f_start[2]) left_sm <= cost_softmax(n);
            if (left_vec != 0) left_vec <= left_vec - 32'd1;
            else if (f_start[3]) left_vec <= add ? cost_add(n) : copy ? cost_copy(n) : cost_argmax(n);
        end
        if ((f_start & ~f_busy) != 0) begin
            {has_store, has_t, has_add, has_copy} <= {store, matmul_t, add, copy};
            {has_address, has_row, has_length, has_b, has_a, has_d} <= {dma_address, dma_row, length, b, a, d};
        end
    end

    // Of a range of rows, the rows beyond its first: the row is inside when its distance from the first is not larger.
    wire [15:0] more = has_length - 16'd1;
    wire [15:0] more_packed = more / COST_LANES;
    wire [15:0] more_words = more / (COST_LANES / 32'd4);
    wire [15:0] dma_r, mm_r, sm_r, vec_r, dma_w, mm_w, sm_w, vec_w;
    assign {vec_r, sm_r, mm_r, dma_r} = f_r_row;
    assign {vec_w, sm_w, mm_w, dma_w} = f_w_row;
    wire by_column = f_r_column[$clog2(N)];
    wire [15:0] mm_a = mm_r - has_a, mm_b = mm_r - has_b;
    wire [15:0] vec_a = vec_r - has_a, vec_b = vec_r - has_b;
    wire rowwise = has_add || has_copy;

    reg past, past_waits, past_sram_re, past_rowmem_re;
    reg [17:0] past_bus;
    reg [31:0] past_wdata;
    reg [16*N-1:0] past_read;
    reg [8*N-1:0] past_r_data;
    initial past = 1'b0;
    always @(posedge clk) begin
        past <= !rst;
        past_waits <= dma_waits;
        past_bus <= f_dma_bus;
        past_wdata <= mem_wdata;
        past_sram_re <= f_sram_re;
        past_rowmem_re <= f_rowmem_re;
        past_read <= f_read;
        past_r_data <= f_r_data;
    end

    always @* begin
        m_busy: assume (f_busy == {left_vec != 0, left_sm != 0, left_mm != 0, left_dma != 0});
        m_done: assume (f_done == {left_vec == 1, left_sm == 1, left_mm == 1, left_dma == 1 && !dma_waits});
        m_quiet: assume ((f_r_en & ~f_busy) == 0 && (f_w_en & ~f_busy) == 0 && (!dma_valid || f_busy[0])
                         && !(dma_waits && (f_r_en[0] || f_w_en[0])));
        m_dma_bus: assume ((!dma_valid || (dma_write == has_store && dma_addr - has_address <= more))
                           && (!(past && past_waits) || (f_dma_bus == past_bus
                               && (f_r_data != past_r_data || mem_wdata == past_wdata))));
        m_dma_rows: assume ((!f_r_en[0] || dma_r - has_row <= more_words) && (!f_w_en[0] || dma_w - has_row <= more_words));
        m_mm_rows: assume ((!f_r_en[1] || (has_t ? (by_column ? mm_b <= more : mm_a == 0)
                                                 : !by_column && (mm_a <= more_packed || mm_b <= more)))
                           && (!f_w_en[1] || mm_w - has_d <= (has_t ? more_packed : 16'd0)));
        m_sm_rows: assume ((!f_r_en[2] || sm_r - has_a <= more_packed) && (!f_w_en[2] || sm_w - has_d <= more_packed));
        m_vec_rows: assume ((!f_r_en[3] || vec_a <= (rowwise ? more : more_packed) || (has_add && vec_b <= more))
                            && (!f_w_en[3] || vec_w - has_d <= (rowwise ? more : 16'd0)));
        m_memories_hold: assume ((past_sram_re || f_read[8*N-1:0] == past_read[8*N-1:0])
                                 && (past_rowmem_re || f_read[16*N-1:8*N] == past_read[16*N-1:8*N]));
    end
endmodule

`default_nettype wire
