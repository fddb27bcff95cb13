// SPDX-License-Identifier: Apache-2.0
// sram_harness: one word of the memory, any one, against its own history.
//
// Shown     `word` of `row`, both symbolic, is what was last written to it (or what it held at first), whatever is
//           written to other rows and words. A read of the row shows it in the next cycle, and until the cycle after
//           the next read; a read and a write in one cycle show the old word.
// Build     the default one: 128 rows of 4 words, so every address of 7 bits is a row
// Assumed   nothing
`default_nettype none

module sram_harness #(
    parameter ROWS = 128,
    parameter WORDS = 4
) (
    input wire clk,
    input wire [WORDS-1:0] we,
    input wire [$clog2(ROWS)-1:0] waddr,
    input wire [32*WORDS-1:0] wdata,
    input wire re,
    input wire [$clog2(ROWS)-1:0] raddr
);
    (* anyconst *) reg [$clog2(ROWS)-1:0] row;
    (* anyconst *) reg [$clog2(WORDS)-1:0] word;

    wire [32*WORDS-1:0] rdata, f_row;
    sram #(.ROWS(ROWS), .WORDS(WORDS)) unit (
        .clk(clk), .we(we), .waddr(waddr), .wdata(wdata), .re(re), .raddr(raddr), .rdata(rdata),
        .f_at(row), .f_row(f_row)
    );

    wire [31:0] holds = f_row[32*word +: 32];
    wire [31:0] shows = rdata[32*word +: 32];
    wire writes = we[word] && waddr == row;

    // What the word should hold, from the first cycle on, and what the last read should show.
    reg began = 1'b0;
    reg [31:0] last;
    reg [31:0] expected;
    reg after_read;      // this row was read in the cycle before
    reg after_any_read;  // some row was
    reg [32*WORDS-1:0] before;
    reg [2:0] writes_seen = 3'd0;

    wire [31:0] now = began ? last : holds;
    always @(posedge clk) begin
        began <= 1'b1;
        last <= writes ? wdata[32*word +: 32] : now;
        after_read <= re && raddr == row;
        after_any_read <= re;
        before <= rdata;
        expected <= now;
        if (writes && writes_seen != 3'd7) writes_seen <= writes_seen + 3'd1;
    end

    always @* begin
        a_holds: assert (holds == now);
        if (began && after_read) a_read: assert (shows == expected);
        if (began && !after_any_read) a_stays: assert (rdata == before);
    end

    // Covers.
    reg both = 1'b0, others = 1'b0, beside = 1'b0, shown = 1'b0;
    always @(posedge clk) begin
        shown <= began && (after_read || (shown && !after_any_read));
        both <= re && raddr == row && writes && wdata[32*word +: 32] != now;
        if (writes) others <= 1'b0;
        else if (we != 0 && waddr != row && writes_seen != 3'd0) others <= 1'b1;
        if (writes) beside <= 1'b0;
        else if (we != 0 && waddr == row && writes_seen != 3'd0) beside <= 1'b1;
    end
    always @* if (began) begin
        c_written_twice: cover (after_read && writes_seen == 3'd2 && row == 7'd127 && word == 2'd3);
        c_read_and_written: cover (after_read && both && writes_seen == 3'd2);
        c_others_written: cover (after_read && others && beside);
        c_never_written: cover (after_read && writes_seen == 3'd0);
        c_held: cover (shown && !after_any_read && !re && writes && row == 7'd0 && word == 2'd0);
    end
endmodule

`default_nettype wire
