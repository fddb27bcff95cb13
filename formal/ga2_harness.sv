// SPDX-License-Identifier: Apache-2.0
// ga2_harness: the chip from start to halt, for every program and every wait pattern of the external memory.
//
// Shown     Counters: each is the harness's own count; total = dma + mm + sm + vec + fetch; they are what cost.py says of the
//           instructions, plus the waits; they freeze, are cleared, and cannot wrap within the largest program.
//           Response: an instruction is done after exactly 4 + cost cycles and the waits; HALT and illegal instructions end the
//           program after 4, leaving the memory after 1; an illegal one sets error and writes nothing.
//           Ports: units and memories get at their own ports what the chip has for them, and it takes what they answer.
//           In ga2_surroundings.sv: what the harnesses of the units assume of the chip.
// Builds    N = 16, 128 rows each, context 64, 8,192 words; with TINY defined 8 words, which programs leave after two
//           instructions. Units and memories are the stand-ins of ga2_units.sv.
// Tasks     COUNTERS leaves out what is said of the response, RESPONSE what is said of the counters: the same proofs, sooner
// Own count The harness follows the program by itself, from the pins and from the units' done: `on`, `working`, `taken`, `at`,
//           with the tables of the instruction set (ga2_decode_isa.sv) in place of the decoder.
// Assumed   1 m_reset: rst is up in the first cycle. A chip is reset before it is used; later rst comes and goes at will.
//           2 to 6: what ga2_contract.sv says of units and memories.
`default_nettype none

module ga2_harness (
    input wire clk, rst, start, mem_ready,
    input wire [31:0] mem_rdata
);
    localparam N = 16, SRAM_ROWS = 128, ROWMEM_ROWS = 128, MAX_CONTEXT = 64;
`ifdef TINY
    localparam EXTERNAL_WORDS = 8;
`else
    localparam EXTERNAL_WORDS = 8192;
`endif
    `include "cost.svh"

    wire running, error, mem_valid, mem_write;
    wire [15:0] mem_addr;
    wire [31:0] mem_wdata, total, dma, mm, sm, vec;
    wire [1:0] f_state, f_word;
    wire [16:0] f_pc;
    wire [95:0] f_words;
    wire [3:0] f_start, f_busy, f_done, f_r_en, f_w_en;
    wire [121:0] f_command;
    wire [63:0] f_r_row, f_w_row;
    wire [4:0] f_r_column, f_rowmem_column;
    wire [3:0] f_w_word, f_sram_we, f_rowmem_we;
    wire f_sram_re, f_rowmem_re;
    wire [15:0] f_row_read, f_row_written;
    wire [127:0] f_r_data, f_written;
    wire [415:0] f_w_data;
    wire [255:0] f_read;
    wire [17:0] f_dma_bus;
    wire f_from_rowmem;
    ga2 #(.EXTERNAL_WORDS(EXTERNAL_WORDS)) ga2_i (.*);

    // What the units get at their ports in a cycle without a write, told by the stand-ins.
    wire [127:0] vec_told = f_w_data[415:288], sm_told = f_w_data[287:160], mm_told = f_w_data[159:32];
    assign f_start = {vec_told[66], sm_told[48], mm_told[87], f_w_word[0]} & ~f_w_en;
    assign f_command = f_start[0] ? {2'd0, 1'b0, f_w_word[1], f_w_data[31:0], f_w_row[15:0], 70'd0}
                     : f_start[1] ? {2'd0, mm_told[86], 33'd0, mm_told[85:0]}
                     : f_start[2] ? {36'd0, sm_told[47:32], 38'd0, sm_told[31:0]}
                     : {vec_told[65:64], 34'd0, vec_told[63:48], 22'd0, vec_told[47:0]};

    // The ports of units and memories themselves: `hierconn` makes such a wire the one of that name inside the chip.
    (* hierconn *) wire \ga2_i.dma_i.clk , \ga2_i.mm_i.clk , \ga2_i.sm_i.clk , \ga2_i.vec_i.clk ;
    (* hierconn *) wire \ga2_i.sram_i.clk , \ga2_i.rowmem_i.clk ;
    (* hierconn *) wire \ga2_i.dma_i.rst , \ga2_i.mm_i.rst , \ga2_i.sm_i.rst , \ga2_i.vec_i.rst ;
    (* hierconn *) wire [127:0] \ga2_i.dma_i.r_data , \ga2_i.mm_i.r_data , \ga2_i.sm_i.r_data , \ga2_i.vec_i.r_data ;
    (* hierconn *) wire \ga2_i.dma_i.mem_ready ;
    (* hierconn *) wire [31:0] \ga2_i.dma_i.mem_rdata ;
    (* hierconn *) wire [3:0] \ga2_i.sram_i.we , \ga2_i.rowmem_i.we ;
    (* hierconn *) wire [6:0] \ga2_i.sram_i.waddr , \ga2_i.sram_i.raddr , \ga2_i.rowmem_i.waddr , \ga2_i.rowmem_i.raddr ;
    (* hierconn *) wire [127:0] \ga2_i.sram_i.wdata , \ga2_i.rowmem_i.wdata , \ga2_i.sram_i.rdata , \ga2_i.rowmem_i.rdata ;
    (* hierconn *) wire \ga2_i.sram_i.re , \ga2_i.rowmem_i.re , \ga2_i.rowmem_i.by_column ;
    (* hierconn *) wire [3:0] \ga2_i.rowmem_i.rcolumn ;
    (* hierconn *) wire \ga2_i.dma_i.busy , \ga2_i.mm_i.busy , \ga2_i.sm_i.busy , \ga2_i.vec_i.busy ;
    (* hierconn *) wire \ga2_i.dma_i.done , \ga2_i.mm_i.done , \ga2_i.sm_i.done , \ga2_i.vec_i.done ;
    (* hierconn *) wire \ga2_i.dma_i.r_en , \ga2_i.mm_i.r_en , \ga2_i.sm_i.r_en , \ga2_i.vec_i.r_en ;
    (* hierconn *) wire \ga2_i.dma_i.w_en , \ga2_i.mm_i.w_en , \ga2_i.sm_i.w_en , \ga2_i.vec_i.w_en ;
    (* hierconn *) wire [15:0] \ga2_i.dma_i.r_row , \ga2_i.mm_i.r_row , \ga2_i.sm_i.r_row , \ga2_i.vec_i.r_row ;
    (* hierconn *) wire [15:0] \ga2_i.dma_i.w_row , \ga2_i.mm_i.w_row , \ga2_i.sm_i.w_row , \ga2_i.vec_i.w_row ;
    (* hierconn *) wire [127:0] \ga2_i.mm_i.w_data , \ga2_i.sm_i.w_data , \ga2_i.vec_i.w_data ;
    (* hierconn *) wire [31:0] \ga2_i.dma_i.w_data , \ga2_i.dma_i.mem_wdata ;
    (* hierconn *) wire \ga2_i.mm_i.r_by_column , \ga2_i.dma_i.mem_valid , \ga2_i.dma_i.mem_write ;
    (* hierconn *) wire [3:0] \ga2_i.mm_i.r_column , \ga2_i.dma_i.w_word ;
    (* hierconn *) wire [15:0] \ga2_i.dma_i.mem_addr ;

    wire [31:0] left_dma, left_mm, left_sm, left_vec;
    wire [31:0] left = left_dma | left_mm | left_sm | left_vec;  // at most one of them is not 0
    wire [99:0] has;
    ga2_contract contract_i (.*);

    // The program as the harness follows it.
    reg was_reset;
    initial was_reset = 1'b0;
    reg on;                   // a program runs
    reg working;              // a unit has the instruction
    reg [1:0] taken;          // words that came; with all three the instruction is decoded
    reg [31:0] word0, word1, word2;
    reg [16:0] at;            // of its first word
    reg [11:0] retired;       // instructions before it
    reg failed;
    wire [7:0] isa_opcode, isa_shift;
    wire [15:0] isa_d, isa_a, isa_b, isa_length, isa_multiplier;
    wire isa_legal;
    ga2_decode_isa #(.EXTERNAL_WORDS(EXTERNAL_WORDS)) isa_i (
        .word0(f_words[31:0]), .word1(f_words[63:32]), .word2(f_words[95:64]), .opcode(isa_opcode), .shift(isa_shift),
        .d(isa_d), .a(isa_a), .b(isa_b), .length(isa_length), .multiplier(isa_multiplier), .legal(isa_legal)
    );
    wire isa_halt = isa_opcode == 8'h01;
    wire decoding = on && !working && taken == 3;
    wire beyond = on && !working && taken != 3 && {15'd0, at} + 2 >= EXTERNAL_WORDS;
    wire fetching = on && !working && taken != 3 && !beyond;
    wire ends = beyond || (decoding && (isa_halt || !isa_legal));
    wire retires = working && f_done != 0;

`ifndef COUNTERS
    ga2_surroundings #(.EXTERNAL_WORDS(EXTERNAL_WORDS)) surroundings_i (.*);
`endif

    wire [31:0] n = {16'd0, isa_length};
    reg [31:0] cost;
    always @* case (isa_opcode)
        8'h02: cost = cost_load(n);
        8'h03: cost = cost_store(n);
        8'h04, 8'h05: cost = cost_matmul(n);
        8'h06: cost = cost_softmax(n);
        8'h07: cost = cost_add(n);
        8'h08: cost = cost_copy(n);
        8'h09: cost = cost_argmax(n);
        default: cost = 32'd0;
    endcase

    always @(posedge clk) begin
        if (rst) begin
            was_reset <= 1'b1;
            {on, working, taken, word0, word1, word2, at, retired, failed} <= 0;
        end else if (!on) begin
            if (start) {on, working, taken, at, retired, failed} <= {1'b1, 33'd0};
        end else if (working) begin
            if (retires) {working, taken, at, retired} <= {3'd0, at + 17'd3, retired + 12'd1};
        end else if (ends) begin
            on <= 1'b0;
            failed <= beyond || !isa_legal;
        end else if (decoding) begin
            working <= 1'b1;
        end else if (mem_ready) begin
            taken <= taken + 2'd1;
            if (taken == 0) word0 <= mem_rdata;
            if (taken == 1) word1 <= mem_rdata;
            if (taken == 2) word2 <= mem_rdata;
        end
    end

    // Own counts. `fetch` counts the states FETCH and DECODE of the machine, the sums one unit more each time.
    wire waits = mem_valid && !mem_ready;
    wire in_fetch = f_state == 2'd1 || f_state == 2'd2;
    reg [31:0] n_total, n_dma, n_mm, n_sm, n_vec, n_fetch;
    reg [31:0] n_fetch_dma, n_fetch_dma_mm, n_fetch_dma_mm_sm;
    reg [31:0] n_steps;           // running without a wait
    reg [32:0] n_waits;           // with one, up to 2^32
    reg [31:0] n_burst, n_burst_waits;  // dma busy without a wait, and with one
    reg [31:0] due_total, due_dma, due_mm, due_sm, due_vec;  // cycles of the instructions decoded so far, as cost.py has them
    reg [31:0] age;               // of this instruction, in cycles without a wait
    wire begins = !on && start;
    always @(posedge clk) begin
        if (rst || begins) begin
            {n_total, n_dma, n_mm, n_sm, n_vec, n_fetch, n_fetch_dma, n_fetch_dma_mm, n_fetch_dma_mm_sm} <= 0;
            {n_steps, n_waits, n_burst, n_burst_waits, due_total, due_dma, due_mm, due_sm, due_vec} <= 0;
        end else begin
            n_total <= n_total + on;
            n_dma <= n_dma + f_busy[0];
            n_mm <= n_mm + f_busy[1];
            n_sm <= n_sm + f_busy[2];
            n_vec <= n_vec + f_busy[3];
            n_fetch <= n_fetch + in_fetch;
            n_fetch_dma <= n_fetch_dma + (in_fetch || f_busy[0]);
            n_fetch_dma_mm <= n_fetch_dma_mm + (in_fetch || f_busy[1:0] != 0);
            n_fetch_dma_mm_sm <= n_fetch_dma_mm_sm + (in_fetch || f_busy[2:0] != 0);
            n_steps <= n_steps + (on && !waits);
            if (!n_waits[32]) n_waits <= n_waits + waits;
            n_burst <= n_burst + (f_busy[0] && !waits);
            n_burst_waits <= n_burst_waits + (f_busy[0] && waits);
            if (decoding) begin
                due_total <= due_total + COST_FETCH + (isa_legal ? cost : 32'd0);
                if (isa_legal && isa_opcode[7:1] == 1) due_dma <= due_dma + cost;
                if (isa_legal && isa_opcode[7:1] == 2) due_mm <= due_mm + cost;
                if (isa_legal && isa_opcode == 6) due_sm <= due_sm + cost;
                if (isa_legal && isa_opcode > 6) due_vec <= due_vec + cost;
            end else if (beyond) begin
                due_total <= due_total + COST_FETCH_OUTSIDE;
            end
        end
        if (rst || begins || retires) age <= 0;
        else if (on) age <= age + !waits;
    end
    wire [32:0] fetch_dma = {1'b0, n_fetch} + {1'b0, dma};
    wire [32:0] fetch_dma_mm = {1'b0, n_fetch_dma} + {1'b0, mm};
    wire [32:0] fetch_dma_mm_sm = {1'b0, n_fetch_dma_mm} + {1'b0, sm};
    wire [32:0] all = {1'b0, n_fetch_dma_mm_sm} + {1'b0, vec};

    // The largest program: an instruction in every three words, and then out of the memory. None takes more than 1,024 cycles (in
    // truth 517, of a STORE of all of a memory; a power of two is easier on the solver).
    localparam [31:0] INSTRUCTIONS = EXTERNAL_WORDS / 3, SLOWEST = 1024, LARGEST = INSTRUCTIONS * SLOWEST + 1;
    wire patient = n_waits <= 33'hfffffffe - LARGEST;

    // The cycle before.
    reg past, past_idle, past_begins, past_rst, past_ends, past_failed, past_error;
    reg [159:0] past_counters;
    initial past = 1'd0;
    always @(posedge clk) begin
        past <= was_reset && !rst;
        past_rst <= rst;
        past_idle <= !on && !start;
        past_begins <= begins;
        past_ends <= ends;
        past_failed <= beyond || (decoding && !isa_legal);
        past_error <= error;
        past_counters <= {total, dma, mm, sm, vec};
    end

    always @* m_reset: assume (was_reset || rst);

    always @* if (was_reset) begin
`ifndef RESPONSE
        // Counters.
        a_total: assert (total == n_total);
        a_dma: assert (dma == n_dma);
        a_mm: assert (mm == n_mm);
        a_sm: assert (sm == n_sm);
        a_vec: assert (vec == n_vec);
        a_one_busy: assert ((f_busy & (f_busy - 4'd1)) == 0);
        a_partition: assert ({2'd0, in_fetch} + f_busy[0] + f_busy[1] + f_busy[2] + f_busy[3] == {2'd0, running});
        a_sum: assert (fetch_dma[31:0] == n_fetch_dma && fetch_dma_mm[31:0] == n_fetch_dma_mm
                       && fetch_dma_mm_sm[31:0] == n_fetch_dma_mm_sm && all[31:0] == total);
        if (past && past_idle) a_frozen: assert ({total, dma, mm, sm, vec} == past_counters && error == past_error);
        if (past && past_begins) a_cleared: assert ({total, dma, mm, sm, vec, error} == 0 && running);
        if (past_rst) a_reset: assert ({total, dma, mm, sm, vec, error, running, mem_valid} == 0);
        if (!on) begin
            a_predicted: assert (dma == due_dma + n_burst_waits && mm == due_mm && sm == due_sm && vec == due_vec);
            a_predicted_total: assert (n_waits[32] || total == due_total + n_waits[31:0]);
        end
        i_largest: assert (n_steps <= LARGEST);
        if (patient) a_no_wrap: assert ({1'b0, total} == {1'b0, n_steps} + n_waits && total != 32'hffffffff
                                        && {fetch_dma[32], fetch_dma_mm[32], fetch_dma_mm_sm[32], all[32]} == 0);

        i_due: assert (n_dma == n_burst + n_burst_waits && n_burst + left_dma == due_dma && n_mm + left_mm == due_mm
                       && n_sm + left_sm == due_sm && n_vec + left_vec == due_vec);
        i_steps: assert (n_steps + left == due_total + (on && !working ? taken : 2'd0));
        i_exact: assert (n_waits[32] || total == n_steps + n_waits[31:0]);
        if (isa_legal) i_slowest: assert (cost + 4 <= SLOWEST);
        i_budget: assert (n_steps <= {10'd0, retired, 10'd0} + (on ? age : 32'd4));
`endif

`ifndef COUNTERS
        // Response.
        a_running: assert (running == on);
        a_error: assert (error == failed);
        if (on && !ends) a_response: assert (age < COST_FETCH + cost || !(working || decoding) && age < 3);
        if (working) a_retires: assert (retires == (!waits && age + 32'd1 == COST_FETCH + cost));
        if (decoding) a_decodes: assert (age == 3 && !mem_valid);
        if (beyond) a_leaves: assert (age == 0 && !mem_valid);
        if (past && past_ends) a_ends: assert (!running && error == past_failed);
        if (!working) a_no_write: assert (f_w_en == 0 && f_sram_we == 0 && f_rowmem_we == 0 && !mem_write);
        if (mem_write) a_store_only: assert (working && isa_opcode == 8'h03);
        a_issues: assert ((f_start != 0) == (decoding && isa_legal && !isa_halt));
        if (fetching) a_fetches: assert (mem_valid && !mem_write && {1'b0, mem_addr} == at + {15'd0, taken});
        if (!on) a_idle: assert (!mem_valid && f_r_en == 0 && f_busy == 0);
        if (working) i_has: assert (has == {isa_opcode == 3, isa_opcode == 5, isa_opcode == 7, isa_opcode == 8,
            isa_opcode == 2 ? {isa_a, isa_d} : isa_opcode == 3 ? {isa_d, isa_a} : 32'd0, isa_length,
            isa_opcode <= 3 ? 48'd0 : isa_opcode == 6 ? {16'd0, isa_a, isa_d} : {isa_b, isa_a, isa_d}});

        // What units and memories get at their ports is what the chip has for them, and what they answer is what it takes.
        a_gets_clk: assert ({6{clk}} == {\ga2_i.dma_i.clk , \ga2_i.mm_i.clk , \ga2_i.sm_i.clk , \ga2_i.vec_i.clk ,
                                        \ga2_i.sram_i.clk , \ga2_i.rowmem_i.clk });
        a_gets_rst: assert ({4{rst}} == {\ga2_i.dma_i.rst , \ga2_i.mm_i.rst , \ga2_i.sm_i.rst , \ga2_i.vec_i.rst });
        a_gets_r_data: assert ({4{f_r_data}} == {\ga2_i.dma_i.r_data , \ga2_i.mm_i.r_data ,
                                                 \ga2_i.sm_i.r_data , \ga2_i.vec_i.r_data });
        a_gets_bus: assert ({mem_ready, mem_rdata} == {\ga2_i.dma_i.mem_ready , \ga2_i.dma_i.mem_rdata });
        a_gets_sram: assert ({f_sram_we, f_row_written[6:0], f_written, f_sram_re, f_row_read[6:0]}
            == {\ga2_i.sram_i.we , \ga2_i.sram_i.waddr , \ga2_i.sram_i.wdata , \ga2_i.sram_i.re , \ga2_i.sram_i.raddr });
        a_gets_rowmem: assert ({f_rowmem_we, f_row_written[6:0], f_written, f_rowmem_re, f_row_read[6:0], f_rowmem_column}
            == {\ga2_i.rowmem_i.we , \ga2_i.rowmem_i.waddr , \ga2_i.rowmem_i.wdata , \ga2_i.rowmem_i.re ,
                \ga2_i.rowmem_i.raddr , \ga2_i.rowmem_i.by_column , \ga2_i.rowmem_i.rcolumn });
        a_takes_memories: assert (f_read == {\ga2_i.rowmem_i.rdata , \ga2_i.sram_i.rdata });
        a_takes_state: assert ({f_busy, f_done}
            == {\ga2_i.vec_i.busy , \ga2_i.sm_i.busy , \ga2_i.mm_i.busy , \ga2_i.dma_i.busy ,
                \ga2_i.vec_i.done , \ga2_i.sm_i.done , \ga2_i.mm_i.done , \ga2_i.dma_i.done });
        a_takes_reads: assert ({f_r_en, f_r_row, f_r_column}
            == {\ga2_i.vec_i.r_en , \ga2_i.sm_i.r_en , \ga2_i.mm_i.r_en , \ga2_i.dma_i.r_en ,
                \ga2_i.vec_i.r_row , \ga2_i.sm_i.r_row , \ga2_i.mm_i.r_row , \ga2_i.dma_i.r_row ,
                \ga2_i.mm_i.r_by_column , \ga2_i.mm_i.r_column });
        a_takes_writes: assert ({f_w_en, f_w_row, f_w_data, f_w_word}
            == {\ga2_i.vec_i.w_en , \ga2_i.sm_i.w_en , \ga2_i.mm_i.w_en , \ga2_i.dma_i.w_en ,
                \ga2_i.vec_i.w_row , \ga2_i.sm_i.w_row , \ga2_i.mm_i.w_row , \ga2_i.dma_i.w_row ,
                \ga2_i.vec_i.w_data , \ga2_i.sm_i.w_data , \ga2_i.mm_i.w_data , \ga2_i.dma_i.w_data , \ga2_i.dma_i.w_word });
        a_takes_bus: assert ({f_dma_bus, mem_wdata} == {\ga2_i.dma_i.mem_valid , \ga2_i.dma_i.mem_write ,
                                                       \ga2_i.dma_i.mem_addr , \ga2_i.dma_i.mem_wdata });
`endif

        // What makes both inductive.
        i_state: assert (!(on && failed) && f_state == (!on ? 2'd0 : working ? 2'd3 : taken == 3 ? 2'd2 : 2'd1));
        i_words: assert (f_words == {word2, word1, word0} && f_word == (taken == 3 ? 2'd0 : taken));
        if (on) i_place: assert (f_pc == at && at == 3 * retired && at <= EXTERNAL_WORDS
                                 && (taken == 0 && !working || at + 2 < EXTERNAL_WORDS));
        if (working) i_working: assert (taken == 3 && isa_legal && !isa_halt && f_busy
            == (isa_opcode <= 3 ? 4'd1 : isa_opcode <= 5 ? 4'd2 : isa_opcode == 6 ? 4'd4 : 4'd8));
        if (!working) i_resting: assert (f_busy == 0);
        if (working) i_left: assert (left <= cost && age + left == COST_FETCH + cost);
        else if (on) i_fetched: assert (age == taken);
    end

    // Covers.
    reg restarted;
    reg [2:0] rested;         // cycles since the end of a program, up to 7
    always @(posedge clk) rested <= on || rst ? 3'd0 : rested + (rested != 3'd7);
    always @(posedge clk) if (rst) restarted <= 1'b0; else if (begins && total != 0) restarted <= 1'b1;
    always @* if (was_reset) begin
`ifdef TINY
        c_outside: cover (beyond && dma != 0 && vec != 0);
        c_error_outside: cover (past_ends && past_failed && retired == 2 && n_waits == 1);
`else
        c_load: cover (retires && isa_opcode == 2 && isa_length == 3);
        c_store: cover (retires && isa_opcode == 3 && isa_length == 3);
        c_matmul: cover (working && isa_opcode == 4 && mm == 2);
        c_matmul_t: cover (working && isa_opcode == 5 && mm == 2);
        c_softmax: cover (working && isa_opcode == 6 && sm == 2);
        c_add: cover (retires && isa_opcode == 7 && isa_length == 2);
        c_copy: cover (retires && isa_opcode == 8 && isa_length == 2);
        c_argmax: cover (retires && isa_opcode == 9 && isa_length == 17);
        c_longest: cover (f_start[0] && isa_opcode == 3 && isa_length == 512);
        c_halt: cover (past && past_ends && !past_failed && retired == 1);
        c_illegal_opcode_stops: cover (past && past_ends && past_failed && isa_opcode == 0);
        c_illegal_operand_stops: cover (past && past_ends && past_failed && isa_opcode == 7);
        c_wait_in_fetch: cover (retires && n_waits == 2 && n_burst_waits == 0);
        c_wait_in_load: cover (retires && isa_opcode == 2 && n_burst_waits == 2);
        c_wait_in_store: cover (retires && isa_opcode == 3 && n_burst_waits == 2);
        c_two_units: cover (retires && retired == 1 && dma != 0 && vec != 0);
        c_same_unit_twice: cover (retires && retired == 1 && f_busy[3] && vec == 3);
        c_restart: cover (restarted && retires);
        c_restart_after_error: cover (begins && error && total != 0);
        c_reset_at_work: cover (past_rst && past_counters[31:0] == 1);
        c_start_while_running: cover (start && retires);
        c_impatient: cover (!on && n_waits == 3 && total == 7);
        c_frozen_long: cover (past && past_idle && rested == 3'd5 && vec != 0);
        c_column: cover (f_rowmem_re && f_rowmem_column[4]);
        c_row_of_rowmem: cover (f_rowmem_re && f_busy[0]);
        c_row_of_sram: cover (f_sram_re && f_busy[3]);
        c_rowmem_written: cover (f_rowmem_we == 4'b0010);
        c_sram_written: cover (f_sram_we == 4'b1111 && f_busy[2]);
        c_external_written: cover (mem_valid && mem_write && mem_ready && mem_addr == 16'd8191);
`endif
    end
endmodule

`default_nettype wire
