// SPDX-License-Identifier: Apache-2.0
// dma: moves a burst of words between the external memory and the rows of the on-chip memories.
//
// States    0 idle · 1 READ: fetch the first row of a store · 2 RUN: one word for every cycle with mem_ready
//
// Ports     start, store, row, address, length ≥ 1 → busy, done
//           external port: mem_valid, mem_write, mem_addr, mem_wdata → mem_ready, mem_rdata
//           on chip: w_en, w_row, w_word (one bit for every word of a row), w_data · r_en, r_row → r_data a cycle later
// Protocol  start is taken when not busy; done is up in the last busy cycle, that of the last word. A word moves in every cycle
//           with mem_valid and mem_ready; until then mem_valid and what goes with it stand still.
// Latency   load: length + waits; store: length + 1 + waits; a wait is a cycle with mem_valid and without mem_ready
// Reset     to idle
`default_nettype none

module dma #(
    parameter WORDS = 4
) (
    input  wire clk,
    input  wire rst,
    input  wire start,
    input  wire store,
    input  wire [15:0] row,
    input  wire [15:0] address,
    input  wire [15:0] length,
    output wire busy,
    output wire done,
    output wire mem_valid,
    output wire mem_write,
    output wire [15:0] mem_addr,
    output wire [31:0] mem_wdata,
    input  wire mem_ready,
    input  wire [31:0] mem_rdata,
    output wire w_en,
    output wire [15:0] w_row,
    output wire [WORDS-1:0] w_word,
    output wire [31:0] w_data,
    output wire r_en,
    output wire [15:0] r_row,
`ifdef FORMAL
    output wire [15:0] f_left,
`endif
    input  wire [32*WORDS-1:0] r_data
);
    localparam [WORDS-1:0] FIRST = 1;
    localparam IDLE = 2'd0, READ = 2'd1, RUN = 2'd2;

    reg [1:0] state;
    reg storing;
    reg [15:0] at_row;
    reg [15:0] at_address;
    reg [15:0] left;
    reg [WORDS-1:0] word;  // one bit, which moves up

`ifdef FORMAL
    assign f_left = left;
`endif

    wire moves = state == RUN && mem_ready;
    wire last = left == 16'd1;
    wire row_ends = word[WORDS-1];
    wire [15:0] next_row = at_row + 16'd1;

    assign busy = state != IDLE;
    assign done = moves && last;

    assign mem_valid = state == RUN;
    assign mem_write = storing;
    assign mem_addr = at_address;

    assign w_en = moves && !storing;
    assign w_row = at_row;
    assign w_word = word;
    assign w_data = mem_rdata;

    // A store reads the next row while the last word of the one before leaves.
    assign r_en = state == READ || (moves && storing && row_ends && !last);
    assign r_row = state == READ ? at_row : next_row;

    reg [31:0] chosen;
    integer i;
    always @* begin
        chosen = 32'd0;
        for (i = 0; i < WORDS; i = i + 1)
            chosen = chosen | (r_data[32*i +: 32] & {32{word[i]}});
    end
    assign mem_wdata = chosen;

    always @(posedge clk) begin
        if (rst) begin
            state <= IDLE;
            storing <= 1'b0;
            at_row <= 16'd0;
            at_address <= 16'd0;
            left <= 16'd0;
            word <= FIRST;
        end else if (state == IDLE) begin
            if (start) begin
                state <= store ? READ : RUN;
                storing <= store;
                at_row <= row;
                at_address <= address;
                left <= length;
                word <= FIRST;
            end
        end else if (state == READ) begin
            state <= RUN;
        end else if (moves) begin
            at_address <= at_address + 16'd1;
            left <= left - 16'd1;
            word <= row_ends ? FIRST : word << 1;
            if (row_ends) at_row <= next_row;
            if (last) state <= IDLE;
        end
    end
endmodule

`default_nettype wire
