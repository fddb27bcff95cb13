// SPDX-License-Identifier: Apache-2.0
// rowmem_harness: one element of the memory, any one, against its own history.
//
// Shown     The element of `row` and `column`, both symbolic, is what was last written to it (or what it held at
//           first), whatever is written elsewhere. A read of its row shows it at place `column` in the next cycle. A
//           read of its column, of the N rows from raddr on, shows it at place row - raddr. Either stays until the
//           cycle after the next read; a read and a write in one cycle show the old element.
// Build     the default one: 128 rows of 16 elements, so every address of 7 bits is a row. Of a slice that reaches
//           beyond the last row only the places of rows that exist are spoken of.
// Assumed   nothing
`default_nettype none

module rowmem_harness #(
    parameter ROWS = 128,
    parameter N = 16
) (
    input wire clk,
    input wire [N/4-1:0] we,
    input wire [$clog2(ROWS)-1:0] waddr,
    input wire [8*N-1:0] wdata,
    input wire re,
    input wire by_column,
    input wire [$clog2(ROWS)-1:0] raddr,
    input wire [$clog2(N)-1:0] rcolumn
);
    localparam AW = $clog2(ROWS);
    localparam LW = $clog2(N);

    (* anyconst *) reg [AW-1:0] row;
    (* anyconst *) reg [LW-1:0] column;
    (* anyconst *) reg [LW-1:0] any;  // a place of rdata

    wire [8*N-1:0] rdata;
    wire [7:0] holds;
    rowmem #(.ROWS(ROWS), .N(N)) unit (
        .clk(clk), .we(we), .waddr(waddr), .wdata(wdata),
        .re(re), .by_column(by_column), .raddr(raddr), .rcolumn(rcolumn), .rdata(rdata),
        .f_row(row), .f_column(column), .f_element(holds)
    );

    wire writes = we[column >> 2] && waddr == row;
    wire [AW-1:0] ahead = row - raddr;
    wire in_row = !by_column && raddr == row;
    wire in_slice = by_column && rcolumn == column && raddr <= row && ahead < N;

    // What the element should hold, from the first cycle on; what the last read should show of it, and where.
    reg began = 1'b0;
    reg [7:0] last;
    reg [7:0] expected;
    reg [LW-1:0] place;
    reg row_shown = 1'b0, slice_shown = 1'b0, after_read = 1'b0;
    reg [7:0] before;

    wire [7:0] now = began ? last : holds;
    wire [7:0] shows = rdata[8*place +: 8];
    always @(posedge clk) begin
        began <= 1'b1;
        last <= writes ? wdata[8*column +: 8] : now;
        after_read <= re;
        before <= rdata[8*any +: 8];
        if (re) begin
            row_shown <= in_row;
            slice_shown <= in_slice;
            expected <= now;
            place <= by_column ? ahead[LW-1:0] : column;
        end
    end

    always @* begin
        a_holds: assert (holds == now);
        if (row_shown && after_read) a_row: assert (shows == expected);
        if (slice_shown && after_read) a_column: assert (shows == expected);
        if (began && !after_read) a_stays: assert (rdata[8*any +: 8] == before);
    end

    // Covers.
    reg [1:0] written = 2'd0;
    reg both = 1'b0, elsewhere = 1'b0;
    reg [AW-1:0] from;
    always @(posedge clk) begin
        if (writes && written != 2'd3) written <= written + 2'd1;
        both <= re && writes && wdata[8*column +: 8] != now;
        if (writes) elsewhere <= 1'b0;
        else if (we != 0) elsewhere <= 1'b1;
        if (re) from <= raddr;
    end
    wire twice = written == 2'd2 && after_read;
    always @* begin
        c_row: cover (row_shown && twice && elsewhere && row == 7'd127 && column == 4'd15);
        c_row_and_written: cover (row_shown && twice && both);
        c_first_of_column: cover (slice_shown && twice && elsewhere && from == row && column == 4'd9);
        c_last_of_column: cover (slice_shown && twice && from + 7'd15 == row && column == 4'd9);
        c_column_and_written: cover (slice_shown && twice && both && place == 4'd5);
        c_beyond_the_end: cover (slice_shown && twice && from == 7'd120 && row == 7'd127);
        c_never_written: cover (slice_shown && after_read && written == 2'd0);
        c_stays: cover (row_shown && !after_read && both == 1'b0 && written == 2'd2 && writes);
    end
endmodule

`default_nettype wire
