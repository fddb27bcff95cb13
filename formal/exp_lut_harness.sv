// SPDX-License-Identifier: Apache-2.0
// exp_lut_harness: the table against its Python definition, entry by entry.
//
// Shown     Every entry is that of exp_table(), which is made from the Python definition as exp_lut.v is, but by a
//           script of its own. A larger index never gives a larger value.
// Build     has no parameters
// Assumed   nothing
`default_nettype none

module exp_lut_harness (
    input wire clk,
    input wire [7:0] index,
    input wire [7:0] larger
);
    `include "exp_table.svh"

    wire [7:0] value, later;
    exp_lut unit (.index(index), .value(value));
    exp_lut other (.index(larger), .value(later));

    always @* begin
        a_entry: assert (value == exp_table(index));
        if (index <= larger) a_never_grows: assert (value >= later);

        c_first: cover (index == 8'd0 && value == 8'd255);
        c_last_above_zero: cover (index == 8'd49 && value == 8'd1 && larger == 8'd50 && later == 8'd0);
        c_last: cover (index == 8'd255 && value == 8'd0);
        c_equal: cover (index < larger && value == later && value == 8'd5);
    end
endmodule

`default_nettype wire
