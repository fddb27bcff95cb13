// SPDX-License-Identifier: Apache-2.0
// systolic_mul_harness: mul on int8, for layer 1 of systolic.
//
// Shown     p is the product of two signed numbers, for all 2^16 pairs: equal to a sum of rows, bit i of b times a·2^i, with a and b
//           continued by their signs to 16 bits and the sum taken modulo 2^16. A product of two int8 lies within 16 bits.
// Build     A = B = 8: that of the array.
// Assumed   nothing
`default_nettype none

module systolic_mul_harness (
    input wire [7:0] a,
    input wire [7:0] b
);
    wire [15:0] p;
    mul #(.A(8), .B(8)) unit (.a(a), .b(b), .p(p));

    // a·b as 16 rows: every bit of b, continued by its sign, times a.
    function [15:0] times(input [7:0] a, input [7:0] b);
        integer i;
        reg [15:0] wide_a, wide_b;
        begin
            wide_a = {{8{a[7]}}, a};
            wide_b = {{8{b[7]}}, b};
            times = 16'd0;
            for (i = 0; i < 16; i = i + 1)
                times = times + (wide_b[i] ? wide_a << i : 16'd0);
        end
    endfunction

    always @* begin
        a_mul: assert (p == times(a, b));
        c_mul_lowest: cover (a == 8'h80 && b == 8'h7f && p == -16'd16256);
        c_mul_highest: cover (a == 8'h80 && b == 8'h80 && p == 16'd16384);
    end
endmodule

`default_nettype wire
