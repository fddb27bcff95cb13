// SPDX-License-Identifier: Apache-2.0
// ga2_step_harness: one step of the chip from any state whatever, reachable or not, with units that do whatever they like.
//
// Shown     Counters and program counter in all their bits, which a program reaches only after thousands of cycles, and where
//           instructions are fetched: each as a function of the cycle before.
// Build     the default one, with the stand-ins of ga2_units.sv and nothing known about them
// Assumed   nothing, not even a reset
`default_nettype none

module ga2_step_harness (
    input wire clk, rst, start, mem_ready,
    input wire [31:0] mem_rdata
);
    localparam EXTERNAL_WORDS = 8192;
    wire running, mem_valid;
    wire [15:0] mem_addr;
    wire [31:0] total, dma, mm, sm, vec;
    wire [1:0] f_state, f_word;
    wire [16:0] f_pc;
    wire [3:0] f_busy, f_done;
    wire [17:0] f_dma_bus;
    ga2 #(.EXTERNAL_WORDS(EXTERNAL_WORDS)) ga2_i (
        .clk(clk), .rst(rst), .start(start), .mem_ready(mem_ready), .mem_rdata(mem_rdata),
        .running(running), .mem_valid(mem_valid), .mem_addr(mem_addr),
        .total(total), .dma(dma), .mm(mm), .sm(sm), .vec(vec),
        .f_state(f_state), .f_pc(f_pc), .f_word(f_word), .f_busy(f_busy), .f_done(f_done), .f_dma_bus(f_dma_bus)
    );

    reg past, past_clears, past_running, past_retires;
    reg [3:0] past_busy;
    reg [16:0] past_pc;
    reg [31:0] past_total, past_dma, past_mm, past_sm, past_vec;
    initial past = 1'b0;
    always @(posedge clk) begin
        past <= 1'b1;
        past_clears <= rst || (start && f_state == 2'd0);
        past_running <= f_state != 2'd0;
        past_retires <= f_state == 2'd3 && f_done != 4'd0;
        past_busy <= f_busy;
        past_pc <= f_pc;
        {past_total, past_dma, past_mm, past_sm, past_vec} <= {total, dma, mm, sm, vec};
    end

    wire inside = {15'd0, f_pc} + 32'd2 < EXTERNAL_WORDS;
    always @* begin
        if (past && past_clears) a_step_clears: assert ({total, dma, mm, sm, vec, f_pc} == 177'd0);
        if (past && !past_clears) begin
            a_step_total: assert (total == past_total + {31'd0, past_running});
            a_step_units: assert (dma == past_dma + {31'd0, past_busy[0]} && mm == past_mm + {31'd0, past_busy[1]}
                                  && sm == past_sm + {31'd0, past_busy[2]} && vec == past_vec + {31'd0, past_busy[3]});
            a_step_place: assert (f_pc == past_pc + (past_retires ? 17'd3 : 17'd0));
        end
        if (f_state == 2'd1)
            a_step_fetches: assert (inside ? mem_valid && {1'b0, mem_addr} == f_pc + {15'd0, f_word}
                                           : mem_valid == f_dma_bus[17]);
    end

    always @* begin
        c_step_total: cover (past && total[31] && past_running && total[30:0] == 31'd0);
        c_step_units: cover (past && vec == 32'd0 && past_busy[3] && !past_clears);
        c_step_place: cover (past && f_pc == 17'd8190 && past_retires);
    end
endmodule

`default_nettype wire
