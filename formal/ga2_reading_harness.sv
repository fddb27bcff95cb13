// SPDX-License-Identifier: Apache-2.0
// ga2_reading_harness: two chips, equal but for what their counters hold, do the same for ever: nothing depends on a counter.
//
// Shown     Whatever the counters hold, now or later, states, outputs and all that the units and memories get stay equal. The
//           counters are plain outputs, so looking at them is no input of the chip; this is the other half: they have no reader.
// Build     the default one, with the stand-ins of ga2_units.sv
// Assumed   1 m_same_start: in the first cycle both chips are in the same state, any one, but for the counters
//           2 m_same_units: units and memories of both answer alike. They are the same circuits, have no port for a counter, and
//             get the same in both chips, which is asserted.
`default_nettype none

module ga2_reading_harness (
    input wire clk, rst, start, mem_ready,
    input wire [31:0] mem_rdata
);
    // Per chip: the state, what the units and memories answer, and all that comes out for them and for the outside.
    wire [118:0] state_1, state_2;
    wire [874:0] answers_1, answers_2;
    wire [757:0] shown_1, shown_2;
    ga2_reading_chip chip_1 (
        .clk(clk), .rst(rst), .start(start), .mem_ready(mem_ready), .mem_rdata(mem_rdata),
        .state(state_1), .answers(answers_1), .shown(shown_1)
    );
    ga2_reading_chip chip_2 (
        .clk(clk), .rst(rst), .start(start), .mem_ready(mem_ready), .mem_rdata(mem_rdata),
        .state(state_2), .answers(answers_2), .shown(shown_2)
    );

    reg started;
    initial started = 1'b0;
    always @(posedge clk) started <= 1'b1;

    always @* begin
        m_same_start: assume (started || state_1 == state_2);
        m_same_units: assume (answers_1 == answers_2);
        a_same_state: assert (state_1 == state_2);
        a_same_outside: assert (shown_1 == shown_2);
        c_runs: cover (started && state_1[118:117] == 2'd3);
    end
endmodule

// A chip with its observation ports gathered into three.
module ga2_reading_chip (
    input wire clk, rst, start, mem_ready,
    input wire [31:0] mem_rdata,
    output wire [118:0] state,
    output wire [874:0] answers,
    output wire [757:0] shown
);
    wire running, error, mem_valid, mem_write;
    wire [15:0] mem_addr;
    wire [31:0] mem_wdata, total, dma, mm, sm, vec;
    wire [1:0] f_state, f_word;
    wire [16:0] f_pc;
    wire [95:0] f_words;
    wire [3:0] f_busy, f_done, f_r_en, f_w_en;
    wire [63:0] f_r_row, f_w_row;
    wire [4:0] f_r_column, f_rowmem_column;
    wire [3:0] f_w_word, f_sram_we, f_rowmem_we;
    wire f_sram_re, f_rowmem_re, f_from_rowmem;
    wire [15:0] f_row_read, f_row_written;
    wire [127:0] f_r_data, f_written;
    wire [415:0] f_w_data;
    wire [255:0] f_read;
    wire [17:0] f_dma_bus;
    ga2 ga2_i (.*);
    // What a unit writes is its answer; while it writes nothing, its stand-in tells what it gets.
    wire [435:0] writing = {{128{f_w_en[3]}}, {128{f_w_en[2]}}, {128{f_w_en[1]}}, {52{f_w_en[0]}}};
    wire [435:0] both = {f_w_data, f_w_row[15:0], f_w_word};
    wire [435:0] answer = both & writing, told = both & ~writing;
    assign state = {f_state, error, f_from_rowmem, f_pc, f_word, f_words};
    assign answers = {f_busy, f_done, f_r_en, f_w_en, f_r_row, f_w_row[63:16], f_r_column, answer, f_read, f_dma_bus,
                      mem_wdata};
    assign shown = {running, mem_valid, mem_write, mem_addr, told, f_sram_we, f_rowmem_we, f_rowmem_column,
                    f_sram_re, f_rowmem_re, f_row_read, f_row_written, f_r_data, f_written};
endmodule

`default_nettype wire
