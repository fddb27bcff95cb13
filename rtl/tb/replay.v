// SPDX-License-Identifier: Apache-2.0
// replay: runs a file of records through the chip, one after another, and compares what each leaves.
//
// Arguments +records=FILE   hexadecimal numbers: how many records, then for each record
//                             how many words of image, the words (the rest of the memory is 0),
//                             the expected error flag, the five expected counters,
//                             how many words the program changes, and for each its address and its final value
//           +waits=W        0: no wait states; 1 … 255: W of 256 cycles, at random, are not ready
//
// Both on-chip memories are set to 0 before each record. The memory has to equal image and changes in every word. With wait
// states the counters have to grow by the waits that are counted here: dma by those while it is busy, total by all.
//
// Prints one line: PASS with programs, cycles and waits in total, or FAIL with the first mismatch. `finished` goes up after
// it, `failed` with it.
`default_nettype none

// Blocking assignments on purpose: nothing but this process reads what they write.
/* verilator lint_off BLKSEQ */
// Of an address only the bits that reach the memory are used; the chip checks the rest.
/* verilator lint_off UNUSEDSIGNAL */

module replay #(
    parameter N = 16,
    parameter SRAM_ROWS = 128,
    parameter ROWMEM_ROWS = 128,
    parameter EXTERNAL_WORDS = 8192,
    parameter MAX_CONTEXT = 64
) (
    input  wire clk,
    output reg  finished,
    output reg  failed
);
    localparam RESET = 3'd0, NEXT = 3'd1, START = 3'd2, RUN = 3'd3, CHECK = 3'd4, END = 3'd5;
    localparam AW = $clog2(EXTERNAL_WORDS);
    localparam [31:0] PATIENCE = 1000;  // cycles beyond the expected ones, waits not counted

    reg [2:0] state;
    reg [31:0] memory [0:EXTERNAL_WORDS-1];
    reg [31:0] expected [0:EXTERNAL_WORDS-1];
    reg [31:0] expected_counter [0:4];
    reg [31:0] expected_error;
    reg [8*512-1:0] file_name;
    integer file, records, record, words, changes, address, value, waits, got, i;
    reg [31:0] waited_fetch, waited_dma, all_waits, all_cycles, patience;
    reg [31:0] random;

    reg rst, start;
    wire running, error, mem_valid, mem_write;
    wire [15:0] mem_addr;
    wire [31:0] mem_wdata, total, dma, mm, sm, vec;
    wire mem_ready = {24'd0, random[7:0]} >= waits;
    wire [31:0] mem_rdata = memory[mem_addr[AW-1:0]];

    ga2 #(
        .N(N),
        .SRAM_ROWS(SRAM_ROWS),
        .ROWMEM_ROWS(ROWMEM_ROWS),
        .EXTERNAL_WORDS(EXTERNAL_WORDS),
        .MAX_CONTEXT(MAX_CONTEXT)
    ) chip (
        .clk(clk), .rst(rst), .start(start), .running(running), .error(error),
        .mem_valid(mem_valid), .mem_write(mem_write), .mem_addr(mem_addr), .mem_wdata(mem_wdata),
        .mem_ready(mem_ready), .mem_rdata(mem_rdata),
        .total(total), .dma(dma), .mm(mm), .sm(sm), .vec(vec)
    );

    // A linear feedback shift register of maximal length, eight steps at once.
    function [31:0] shuffled(input [31:0] from);
        integer n;
        begin
            shuffled = from;
            for (n = 0; n < 8; n = n + 1)
                shuffled = {shuffled[30:0], shuffled[31] ^ shuffled[21] ^ shuffled[1] ^ shuffled[0]};
        end
    endfunction

    task fail_counter(input [8*5-1:0] name, input [31:0] wanted, input [31:0] found);
        if (!failed && found !== wanted) begin
            failed = 1'b1;
            $display("FAIL record=%0d counter=%0s expected=%0d got=%0d", record, name, wanted, found);
        end
    endtask

    initial begin
        finished = 1'b0;
        failed = 1'b0;
        state = RESET;
        rst = 1'b1;
        start = 1'b0;
        record = -1;
        waits = 0;
        random = 32'h1;
        all_waits = 32'd0;
        all_cycles = 32'd0;
        if (!$value$plusargs("records=%s", file_name)) file_name = "records.txt";
        got = $value$plusargs("waits=%d", waits);
        file = $fopen(file_name, "r");
        records = 0;
        if (file != 0) got = $fscanf(file, "%h", records);
        if (file == 0 || got != 1) begin
            $display("FAIL no records in %0s", file_name);
            failed = 1'b1;
            state = END;
        end
    end

    always @(posedge clk) begin
        // What the chip sees changes after the edge only.
        random <= shuffled(random);
        if (mem_valid && mem_ready && mem_write) memory[mem_addr[AW-1:0]] <= mem_wdata;

        case (state)
            RESET: begin
                rst <= 1'b0;
                state <= NEXT;
            end
            NEXT: begin
                record = record + 1;
                if (record == records) begin
                    $display("PASS programs=%0d cycles=%0d waits=%0d", records, all_cycles, all_waits);
                    state <= END;
                end else begin
                    got = $fscanf(file, "%h", words);
                    for (i = 0; i < EXTERNAL_WORDS; i = i + 1) begin
                        value = 0;
                        if (i < words) got = $fscanf(file, "%h", value);
                        memory[i] <= value;
                        expected[i] = value;
                    end
                    got = $fscanf(file, "%h", expected_error);
                    for (i = 0; i < 5; i = i + 1) got = $fscanf(file, "%h", expected_counter[i]);
                    got = $fscanf(file, "%h", changes);
                    for (i = 0; i < changes; i = i + 1) begin
                        got = $fscanf(file, "%h %h", address, value);
                        expected[address[AW-1:0]] = value;
                    end
                    for (i = 0; i < SRAM_ROWS; i = i + 1) chip.sram_i.mem[i] <= {8*N{1'b0}};
                    waited_fetch = 32'd0;
                    waited_dma = 32'd0;
                    patience = expected_counter[0] + PATIENCE;
                    start <= 1'b1;
                    state <= START;
                end
            end
            START: begin
                start <= 1'b0;
                state <= RUN;
            end
            RUN: begin
                if (mem_valid && !mem_ready) begin
                    if (chip.dma_busy) waited_dma = waited_dma + 32'd1;
                    else waited_fetch = waited_fetch + 32'd1;
                end else begin
                    patience = patience - 32'd1;
                end
                if (!running) state <= CHECK;
                if (patience == 32'd0) begin
                    failed = 1'b1;
                    $display("FAIL record=%0d still running after cycle %0d", record, total);
                    state <= END;
                end
            end
            CHECK: begin
                if (error !== expected_error[0]) begin
                    failed = 1'b1;
                    $display("FAIL record=%0d error expected=%0d got=%0d", record, expected_error, error);
                end
                for (i = 0; i < EXTERNAL_WORDS && !failed; i = i + 1)
                    if (memory[i] !== expected[i]) begin
                        failed = 1'b1;
                        $display("FAIL record=%0d address=%0d expected=%08x got=%08x", record, i, expected[i], memory[i]);
                    end
                fail_counter("total", expected_counter[0] + waited_fetch + waited_dma, total);
                fail_counter("dma", expected_counter[1] + waited_dma, dma);
                fail_counter("mm", expected_counter[2], mm);
                fail_counter("sm", expected_counter[3], sm);
                fail_counter("vec", expected_counter[4], vec);
                all_waits = all_waits + waited_fetch + waited_dma;
                all_cycles = all_cycles + total;
                state <= failed ? END : NEXT;
            end
            default: finished <= 1'b1;
        endcase
    end

    genvar g;
    generate
        for (g = 0; g < N; g = g + 1) begin : clear
            integer c;
            always @(posedge clk)
                if (state == NEXT)
                    for (c = 0; c < ROWMEM_ROWS; c = c + 1) chip.rowmem_i.bank[g].mem[c] <= 8'd0;
        end
    endgenerate
endmodule

`default_nettype wire
