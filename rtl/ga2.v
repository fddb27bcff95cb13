// SPDX-License-Identifier: Apache-2.0
// ga2: the chip. Fetches a program from word 0 of the external memory and runs it, one instruction at a time.
//
// States    0 IDLE    nothing runs; error and counters hold what the last program left
//           1 FETCH   three words, one for every cycle with mem_ready; a program that leaves the memory is an error
//           2 DECODE  one cycle: give the command to a unit, or stop: HALT, or an error
//           3 WAIT    until the unit is done
//
// Ports     start → running, error, total, dma, mm, sm, vec (counters)
//           external port: mem_valid, mem_write, mem_addr, mem_wdata → mem_ready, mem_rdata; a word moves in every cycle
//           with mem_valid and mem_ready, read data is taken in that same cycle
// Protocol  start is taken when not running, clears error and counters, and the program runs from the next cycle on
// Latency   every instruction takes 3 + 1 cycles to fetch and decode, plus the busy time of its unit, plus waits
// Counters  total: cycles of running. dma, mm, sm, vec: cycles in which that unit is busy. They freeze with the program. 32 bits:
//           a program without waits takes far less than 2^32 cycles whatever it does
// Reset     to IDLE, counters and error to 0; the on-chip memories keep what they hold
`default_nettype none

module ga2 #(
    parameter N = 16,
    parameter SRAM_ROWS = 128,
    parameter ROWMEM_ROWS = 128,
    parameter EXTERNAL_WORDS = 8192,
    parameter MAX_CONTEXT = 64
) (
    input  wire clk,
    input  wire rst,
    input  wire start,
    output wire running,
    output reg  error,
    output wire mem_valid,
    output wire mem_write,
    output wire [15:0] mem_addr,
    output wire [31:0] mem_wdata,
    input  wire mem_ready,
    input  wire [31:0] mem_rdata,
    output reg  [31:0] total,
    output reg  [31:0] dma,
    output reg  [31:0] mm,
    output reg  [31:0] sm,
    output reg  [31:0] vec
`ifdef FORMAL
    // Wires for formal/ga2_harness.sv to look at. Where there are four of a kind: dma, mm, sm, vec from the lowest bits up.
    ,
    output wire [1:0] f_state,
    output wire [16:0] f_pc,
    output wire [1:0] f_word,
    output wire [95:0] f_words,
    output wire [3:0] f_busy,
    output wire [3:0] f_done,
    output wire [3:0] f_r_en,
    output wire [63:0] f_r_row,
    output wire [$clog2(N):0] f_r_column,
    output wire [8*N-1:0] f_r_data,
    output wire f_from_rowmem,
    output wire [3:0] f_w_en,
    output wire [63:0] f_w_row,
    output wire [N/4-1:0] f_w_word,
    output wire [24*N+31:0] f_w_data,
    output wire [N/4-1:0] f_sram_we,
    output wire f_sram_re,
    output wire [N/4-1:0] f_rowmem_we,
    output wire f_rowmem_re,
    output wire [$clog2(N):0] f_rowmem_column,
    output wire [15:0] f_row_read,
    output wire [15:0] f_row_written,
    output wire [8*N-1:0] f_written,
    output wire [16*N-1:0] f_read,
    output wire [17:0] f_dma_bus
`endif
);
    localparam WORDS = N / 4;
    localparam LW = $clog2(N);
    localparam SW = $clog2(SRAM_ROWS);
    localparam RW = $clog2(ROWMEM_ROWS);
    localparam [16:0] LAST_PC = EXTERNAL_WORDS[16:0] - 17'd3;
    localparam IDLE = 2'd0, FETCH = 2'd1, DECODE = 2'd2, WAIT = 2'd3;

    reg [1:0] state;
    reg [16:0] pc;           // of the instruction's first word
    reg [1:0] word;
    reg [31:0] word0;
    reg [31:0] word1;
    reg [31:0] word2;

    wire outside = pc > LAST_PC;
    wire fetching = state == FETCH && !outside;
    wire [16:0] fetch_addr = pc + {15'd0, word};

    wire [15:0] d, a, b, length, multiplier;
    wire [5:0] shift;
    wire halt, load, store, matmul, matmul_t, softmax, add, copy, argmax, legal;

    ga2_decode #(
        .N(N),
        .SRAM_ROWS(SRAM_ROWS),
        .ROWMEM_ROWS(ROWMEM_ROWS),
        .EXTERNAL_WORDS(EXTERNAL_WORDS),
        .MAX_CONTEXT(MAX_CONTEXT)
    ) decode_i (
        .word0(word0), .word1(word1), .word2(word2),
        .d(d), .a(a), .b(b), .length(length), .multiplier(multiplier), .shift(shift),
        .halt(halt), .load(load), .store(store), .matmul(matmul), .matmul_t(matmul_t),
        .softmax(softmax), .add(add), .copy(copy), .argmax(argmax), .legal(legal)
    );

    wire issue = state == DECODE && legal;
    wire dma_start = issue && (load || store);
    wire mm_start = issue && (matmul || matmul_t);
    wire sm_start = issue && softmax;
    wire vec_start = issue && (add || copy || argmax);
    wire [15:0] dma_row = load ? d : a;
    wire [15:0] dma_address = load ? a : d;
    wire dma_busy, dma_done, mm_busy, mm_done, sm_busy, sm_done, vec_busy, vec_done;
    wire done = dma_done || mm_done || sm_done || vec_done;

    // What the units ask of the memories. Only one unit is busy at a time, and one that is not asks for nothing.
    wire dma_r_en, mm_r_en, sm_r_en, vec_r_en;
    wire [15:0] dma_r_row, mm_r_row, sm_r_row, vec_r_row;
    wire mm_by_column;
    wire [LW-1:0] mm_column;
    wire dma_w_en, mm_w_en, sm_w_en, vec_w_en;
    wire [15:0] dma_w_row, mm_w_row, sm_w_row, vec_w_row;
    wire [WORDS-1:0] dma_w_word;
    wire [31:0] dma_w_data;
    wire [8*N-1:0] mm_w_data, sm_w_data, vec_w_data;

    wire r_en = dma_r_en || mm_r_en || sm_r_en || vec_r_en;
    wire [15:0] r_row = mm_busy ? mm_r_row : sm_busy ? sm_r_row : vec_busy ? vec_r_row : dma_r_row;
    wire w_en = dma_w_en || mm_w_en || sm_w_en || vec_w_en;
    wire [15:0] w_row = mm_busy ? mm_w_row : sm_busy ? sm_w_row : vec_busy ? vec_w_row : dma_w_row;
    wire [WORDS-1:0] w_word = dma_w_en ? dma_w_word : {WORDS{1'b1}};
    wire [8*N-1:0] w_data =
        mm_busy ? mm_w_data : sm_busy ? sm_w_data : vec_busy ? vec_w_data : {WORDS{dma_w_data}};

    wire [8*N-1:0] sram_data, rowmem_data;
    reg from_rowmem;
    wire [8*N-1:0] r_data = from_rowmem ? rowmem_data : sram_data;

    wire [WORDS-1:0] sram_we = w_word & {WORDS{w_en && !w_row[15]}};
    wire [WORDS-1:0] rowmem_we = w_word & {WORDS{w_en && w_row[15]}};
    wire sram_re = r_en && !r_row[15];
    wire rowmem_re = r_en && r_row[15];
    wire by_column = mm_busy && mm_by_column;

    sram #(.ROWS(SRAM_ROWS), .WORDS(WORDS)) sram_i (
        .clk(clk),
        .we(sram_we), .waddr(w_row[SW-1:0]), .wdata(w_data),
        .re(sram_re), .raddr(r_row[SW-1:0]), .rdata(sram_data)
    );

    rowmem #(.ROWS(ROWMEM_ROWS), .N(N)) rowmem_i (
        .clk(clk),
        .we(rowmem_we), .waddr(w_row[RW-1:0]), .wdata(w_data),
        .re(rowmem_re), .by_column(by_column),
        .raddr(r_row[RW-1:0]), .rcolumn(mm_column), .rdata(rowmem_data)
    );

    wire dma_valid, dma_write;
    wire [15:0] dma_addr;
    dma #(.WORDS(WORDS)) dma_i (
        .clk(clk), .rst(rst),
        .start(dma_start), .store(store), .row(dma_row), .address(dma_address), .length(length),
        .busy(dma_busy), .done(dma_done),
        .mem_valid(dma_valid), .mem_write(dma_write), .mem_addr(dma_addr), .mem_wdata(mem_wdata),
        .mem_ready(mem_ready), .mem_rdata(mem_rdata),
        .w_en(dma_w_en), .w_row(dma_w_row), .w_word(dma_w_word), .w_data(dma_w_data),
        .r_en(dma_r_en), .r_row(dma_r_row), .r_data(r_data)
    );

    ga2_mm #(.N(N)) mm_i (
        .clk(clk), .rst(rst),
        .start(mm_start), .transposed(matmul_t),
        .d(d), .a(a), .b(b), .length(length), .multiplier(multiplier), .shift(shift),
        .busy(mm_busy), .done(mm_done),
        .r_en(mm_r_en), .r_row(mm_r_row), .r_by_column(mm_by_column), .r_column(mm_column), .r_data(r_data),
        .w_en(mm_w_en), .w_row(mm_w_row), .w_data(mm_w_data)
    );

    ga2_sm #(.N(N), .MAX_CONTEXT(MAX_CONTEXT)) sm_i (
        .clk(clk), .rst(rst),
        .start(sm_start), .d(d), .a(a), .length(length),
        .busy(sm_busy), .done(sm_done),
        .r_en(sm_r_en), .r_row(sm_r_row), .r_data(r_data),
        .w_en(sm_w_en), .w_row(sm_w_row), .w_data(sm_w_data)
    );

    ga2_vec #(.N(N)) vec_i (
        .clk(clk), .rst(rst),
        .start(vec_start), .add(add), .copy(copy),
        .d(d), .a(a), .b(b), .length(length),
        .busy(vec_busy), .done(vec_done),
        .r_en(vec_r_en), .r_row(vec_r_row), .r_data(r_data),
        .w_en(vec_w_en), .w_row(vec_w_row), .w_data(vec_w_data)
    );

    assign running = state != IDLE;
    assign mem_valid = fetching || dma_valid;
    assign mem_write = dma_valid && dma_write;
    assign mem_addr = fetching ? fetch_addr[15:0] : dma_addr;

    always @(posedge clk) begin
        if (rst) begin
            state <= IDLE;
            pc <= 17'd0;
            word <= 2'd0;
            word0 <= 32'd0;
            word1 <= 32'd0;
            word2 <= 32'd0;
            error <= 1'b0;
            from_rowmem <= 1'b0;
        end else begin
            if (r_en) from_rowmem <= r_row[15];
            case (state)
                IDLE: if (start) begin
                    state <= FETCH;
                    pc <= 17'd0;
                    word <= 2'd0;
                    error <= 1'b0;
                end
                FETCH: if (outside) begin
                    state <= IDLE;
                    error <= 1'b1;
                end else if (mem_ready) begin
                    case (word)
                        2'd0: word0 <= mem_rdata;
                        2'd1: word1 <= mem_rdata;
                        default: word2 <= mem_rdata;
                    endcase
                    word <= word == 2'd2 ? 2'd0 : word + 2'd1;
                    if (word == 2'd2) state <= DECODE;
                end
                DECODE: begin
                    if (!legal) error <= 1'b1;
                    state <= !legal || halt ? IDLE : WAIT;
                end
                default: if (done) begin
                    state <= FETCH;
                    pc <= pc + 17'd3;
                end
            endcase
        end
    end

    always @(posedge clk) begin
        if (rst || (state == IDLE && start)) begin
            total <= 32'd0;
            dma <= 32'd0;
            mm <= 32'd0;
            sm <= 32'd0;
            vec <= 32'd0;
        end else begin
            total <= total + {31'd0, running};
            dma <= dma + {31'd0, dma_busy};
            mm <= mm + {31'd0, mm_busy};
            sm <= sm + {31'd0, sm_busy};
            vec <= vec + {31'd0, vec_busy};
        end
    end

`ifdef FORMAL
    assign f_state = state;
    assign f_pc = pc;
    assign f_word = word;
    assign f_words = {word2, word1, word0};
    assign f_busy = {vec_busy, sm_busy, mm_busy, dma_busy};
    assign f_done = {vec_done, sm_done, mm_done, dma_done};
    assign f_r_en = {vec_r_en, sm_r_en, mm_r_en, dma_r_en};
    assign f_r_row = {vec_r_row, sm_r_row, mm_r_row, dma_r_row};
    assign f_r_column = {mm_by_column, mm_column};
    assign f_r_data = r_data;
    assign f_from_rowmem = from_rowmem;
    assign f_w_en = {vec_w_en, sm_w_en, mm_w_en, dma_w_en};
    assign f_w_row = {vec_w_row, sm_w_row, mm_w_row, dma_w_row};
    assign f_w_word = dma_w_word;
    assign f_w_data = {vec_w_data, sm_w_data, mm_w_data, dma_w_data};
    assign f_sram_we = sram_we;
    assign f_sram_re = sram_re;
    assign f_rowmem_we = rowmem_we;
    assign f_rowmem_re = rowmem_re;
    assign f_rowmem_column = {by_column, mm_column};
    assign f_row_read = r_row;
    assign f_row_written = w_row;
    assign f_written = w_data;
    assign f_read = {rowmem_data, sram_data};
    assign f_dma_bus = {dma_valid, dma_write, dma_addr};
`endif

    wire unused = &{1'b0, fetch_addr[16], r_row[14:0], w_row[14:0]};
endmodule

`default_nettype wire
