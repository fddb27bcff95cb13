// SPDX-License-Identifier: Apache-2.0
// dma_harness: what dma does with every command, whatever the external memory's waits, the data and the surroundings.
//
// Shown     A load or store of n words is busy for cost_load(n) or cost_store(n) cycles plus the waits, n from 1 to
//           65,535: the busy cycles that are no waits are counted here. done is up once, in the last of them. Word k of
//           the burst, any k < n, moves exactly once, between address + k and word k % 4 of row + k / 4; nothing else
//           is written or asked for. What is offered on the bus stands still until it is taken.
//           A start in an idle cycle is always taken. One in a busy cycle (that of done included) changes nothing: the
//           harness takes operands with starts in idle cycles only.
// Build     N = 16, so 4 words a row
// Assumed   1 m_reset: rst is up in the first cycle: a chip is reset before it is used. Later rst is free.
//           2 m_length: a command has a length of at least 1. ga2 starts dma only for a legal instruction.
// Modelled  One word of the on-chip memory, the place of the watched word k, holds `value`. It is shown from the cycle
//           after its row is asked for until another row is asked for, as is proved of sram and rowmem. The rest of
//           r_data is free in every cycle, so is mem_rdata.
`default_nettype none

module dma_harness #(
    parameter N = 16
) (
    input wire clk,
    input wire rst,
    input wire start,
    input wire store,
    input wire [15:0] row,
    input wire [15:0] address,
    input wire [15:0] length,
    input wire mem_ready,
    input wire [31:0] mem_rdata,
    input wire [8*N-1:0] any_data
);
    `include "cost.svh"
    localparam WORDS = N / 4;
    localparam LOG = $clog2(WORDS);
    localparam [15:0] LANE = WORDS[15:0] - 16'd1;
    localparam [WORDS-1:0] FIRST = 1;

    (* anyconst *) reg [15:0] k;
    (* anyconst *) reg [31:0] value;

    wire busy, done, mem_valid, mem_write, w_en, r_en;
    wire [15:0] mem_addr, w_row, r_row, f_left;
    wire [31:0] mem_wdata, w_data;
    wire [WORDS-1:0] w_word;
    reg [8*N-1:0] r_data;

    dma #(.WORDS(WORDS)) unit (
        .clk(clk), .rst(rst),
        .start(start), .store(store), .row(row), .address(address), .length(length),
        .busy(busy), .done(done),
        .mem_valid(mem_valid), .mem_write(mem_write), .mem_addr(mem_addr), .mem_wdata(mem_wdata),
        .mem_ready(mem_ready), .mem_rdata(mem_rdata),
        .w_en(w_en), .w_row(w_row), .w_word(w_word), .w_data(w_data),
        .r_en(r_en), .r_row(r_row), .r_data(r_data),
        .f_left(f_left)
    );

    // The command in progress, and what has happened since it was taken.
    reg was_reset = 1'b0;
    reg active, is_store;
    reg [15:0] at_row, at_address, words;
    reg [16:0] worked;            // busy cycles that were no waits
    reg [2:0] waits;              // only for the covers
    reg [15:0] moved, rows_read;
    reg seen, written;            // word k moved over the bus; the place of word k on chip was written

    wire moves = mem_valid && mem_ready;
    wire waiting = mem_valid && !mem_ready;
    wire [31:0] cost = is_store ? cost_store({16'd0, words}) : cost_load({16'd0, words});
    wire watched = k < words;
    wire [15:0] k_address = at_address + k;
    wire [15:0] k_row = at_row + (k >> LOG);
    wire [WORDS-1:0] k_word = FIRST << (k & LANE);
    wire k_moves = moves && mem_addr == k_address;
    wire k_written = w_en && w_row == k_row && (w_word & k_word) != 0;

    always @(posedge clk) begin
        if (rst) was_reset <= 1'b1;
        if (rst || done) active <= 1'b0;
        else if (start && !active) active <= 1'b1;
        if (start && !active) begin
            is_store <= store;
            at_row <= row;
            at_address <= address;
            words <= length;
            worked <= 17'd0;
            waits <= 3'd0;
            moved <= 16'd0;
            rows_read <= 16'd0;
            seen <= 1'b0;
            written <= 1'b0;
        end else if (active) begin
            if (waiting) waits <= waits + 3'd1;
            else worked <= worked + 17'd1;
            if (r_en) rows_read <= rows_read + 16'd1;
            if (moves) moved <= moved + 16'd1;
            if (k_moves) seen <= 1'b1;
            if (k_written) written <= 1'b1;
        end
    end

    // The on-chip word.
    reg shown;
    always @(posedge clk) if (r_en) shown <= r_row == k_row;
    integer i;
    always @* begin
        r_data = any_data;
        for (i = 0; i < WORDS; i = i + 1)
            if (shown && k_word[i]) r_data[32*i +: 32] = value;
    end

    // The cycle before.
    reg after_reset, after_wait, before_write;
    reg [15:0] before_addr;
    reg [31:0] before_wdata;
    reg [8*N-1:0] before_data;
    always @(posedge clk) begin
        after_reset <= rst;
        after_wait <= waiting && !rst;
        before_write <= mem_write;
        before_addr <= mem_addr;
        before_wdata <= mem_wdata;
        before_data <= r_data;
    end

    always @* begin
        m_reset: assume (was_reset || rst);
        if (start && !active) m_length: assume (length != 16'd0);
    end

    always @* if (was_reset) begin
        // Commands and their cost.
        a_busy: assert (busy == active);
        a_done: assert (done == (active && !waiting && worked + 32'd1 == cost));
        if (active) a_ends: assert (worked < cost);
        if (!active) a_quiet: assert (!mem_valid && !w_en && !r_en);
        if (after_reset) a_reset: assert (!busy && !done && !mem_valid && !w_en && !r_en);

        // The bus.
        if (after_wait) a_stands_still: assert (mem_valid && mem_write == before_write && mem_addr == before_addr);
        if (after_wait && r_data == before_data) a_data_stands_still: assert (mem_wdata == before_wdata);
        if (waiting) a_waits_quietly: assert (!r_en && !w_en);
        if (mem_valid) a_direction: assert (mem_write == is_store);
        if (mem_valid) a_inside: assert (moved < words && mem_addr == at_address + moved);

        // Every word, exactly once.
        if (k_moves && watched) a_once: assert (!seen);
        if (done && watched) a_every_word: assert (seen || k_moves);
        if (w_en) a_writes: assert (moves && !is_store);
        if (moves && !is_store)
            a_load_word: assert (w_en && w_row == at_row + (moved >> LOG) && w_word == FIRST << (moved & LANE)
                                 && w_data == mem_rdata);
        if (k_written && watched) a_place_once: assert (!written);
        if (done && watched && !is_store) a_every_place: assert (written || k_written);
        if (mem_valid && is_store && mem_addr == k_address && watched) a_store_word: assert (mem_wdata == value);
        if (r_en) a_reads: assert (is_store && r_row == at_row + rows_read && rows_read <= ((words - 16'd1) >> LOG));

        a_ranges: assert ((!mem_valid || mem_addr - at_address <= words - 16'd1)
                          && (!w_en || w_row - at_row <= ((words - 16'd1) >> LOG))
                          && (!r_en || r_row - at_row <= ((words - 16'd1) >> LOG)));

        // What makes it inductive: one equality for every register and state.
        if (active) begin
            i_left: assert (moved < words && f_left == words - moved);
            i_address: assert (mem_addr == at_address + moved && mem_write == is_store);
            i_place: assert (w_row == at_row + (moved >> LOG) && w_word == FIRST << (moved & LANE));
            if (!mem_valid) i_read: assert (r_en && is_store && moved == 0 && worked == 0 && rows_read == 0);
            else i_run: assert (worked == moved + is_store && rows_read == (is_store ? (moved >> LOG) + 16'd1 : 16'd0));
            if (mem_valid && is_store && watched && (moved >> LOG) == (k >> LOG)) i_shown: assert (shown);
            if (watched) i_seen: assert (seen == moved > k);
            if (watched && !is_store) i_written: assert (written == moved > k);
        end
    end

    // Covers. `commands` counts those done.
    reg [1:0] commands;
    reg last_waited, ignored, ignored_at_done, at_once, interrupted;
    always @(posedge clk) begin
        if (!was_reset) begin
            commands <= 2'd0;
            {ignored, ignored_at_done, at_once, interrupted} <= 4'd0;
        end else begin
            if (done) commands <= commands + 2'd1;
            if (start && busy && !done) ignored <= 1'b1;
            if (start && done) ignored_at_done <= 1'b1;
            if (after_done && start) at_once <= 1'b1;
            if (busy && !done && rst) interrupted <= 1'b1;
        end
        last_waited <= waiting && f_left == 16'd1 && !rst;
    end
    reg after_done;
    always @(posedge clk) after_done <= done && was_reset && !rst;

    always @* if (was_reset) begin
        c_load: cover (done && !is_store && words == 16'd9 && waits == 3'd2);
        c_store: cover (done && is_store && words == 16'd9 && waits == 3'd2);
        c_shortest_load: cover (done && !is_store && words == 16'd1 && worked == 17'd0);
        c_shortest_store: cover (done && is_store && words == 16'd1 && worked == 17'd1);
        c_longest_load: cover (k_moves && !is_store && words == 16'd65535 && k == 16'd6);
        c_longest_store: cover (k_moves && is_store && words == 16'd65535 && k == 16'd6);
        c_last_waits: cover (done && last_waited);
        c_wait_in_store: cover (after_wait && mem_write && watched && mem_addr == k_address && k == 16'd4);
        c_ignored: cover (done && ignored);
        c_ignored_at_done: cover (!busy && ignored_at_done);
        c_back_to_back: cover (done && at_once && commands == 2'd1);
        c_load_after_store: cover (done && !is_store && commands == 2'd1 && at_once && seen);
        c_interrupted: cover (done && interrupted);
        c_idle: cover (!busy && mem_ready && commands == 2'd1);
    end
endmodule

`default_nettype wire
