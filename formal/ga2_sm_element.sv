// SPDX-License-Identifier: Apache-2.0
// ga2_sm_element: one score, at any index, on its way through ga2_sm: from the row that it is read with to its product, and
// from there to its weight in the row that is written.
//
// Ports     index, value: which score, and what it is for this command · phase, s, count, q, row, highest: where the command
//           is, as ga2_sm_harness.sv has it · f_…: registers of the unit · writes, w_data: the row that it writes → power: the
//           table's entry for the score
`default_nettype none

module ga2_sm_element #(
    parameter N = 16
) (
    input wire clk,
    input wire checked,
    input wire [15:0] index,
    input wire signed [7:0] value,
    input wire [2:0] phase,
    input wire [15:0] s,
    input wire [15:0] count,
    input wire [15:0] rows,
    input wire reading,
    input wire [15:0] q,
    input wire [8*N-1:0] row,
    input wire signed [7:0] highest,
    input wire [7:0] f_below,
    input wire [22:0] f_product,
    input wire [14:0] f_reciprocal,
    input wire [8*N-1:0] f_packed,
    input wire writes,
    input wire [8*N-1:0] w_data,
    output wire [7:0] power
);
    localparam LW = $clog2(N);
    localparam MAX = 3'd1, SUM = 3'd2, DIV = 3'd3, SCALE = 3'd4;

`include "exp_table.svh"

    wire [LW-1:0] lane = index[LW-1:0];
    wire [15:0] its_row = index >> LW;
    wire there = index < count;
    wire [7:0] below = highest - value;
    assign power = exp_table(below);
    wire [24:0] exact = {2'd0, power, f_reciprocal};  // what ga2_sm_mul.sv makes of the two

    // In SCALE the unit looks at score s − 1, has the power of s − 2 and the product of s − 3.
    wire [15:0] product_index = s - 16'd3;

    reg passed;                                       // MAX: its row has arrived
    always @(posedge clk) if (phase == MAX) passed <= s >= 16'd2 && (q == its_row || (passed && s != 16'd2));

    // Its product, kept once it is there, and its weight. The product of a power and a reciprocal is at most MOST: Q1, Q2.
    localparam [31:0] MOST = 255 * 32639;
    wire ready = index == product_index;
    reg [22:0] kept;
    always @(posedge clk) if (ready) kept <= f_product;
    wire [31:0] product = {9'd0, ready ? f_product : kept};
    wire [31:0] rounded = (product + 32'd32768) >> 16;
    wire [7:0] weight = rounded > 32'd127 ? 8'd127 : rounded[7:0];
    wire gathers = its_row == product_index >> LW;

    // Lane by lane instead of by a shift: solvers need it so.
    reg in_row, in_packed, in_written;
    integer v;
    always @* begin
        {in_row, in_packed, in_written} = 3'b111;
        for (v = 0; v < N; v = v + 1) if (lane == v[LW-1:0]) begin
            if (row[8*v +: 8] != value) in_row = 1'b0;
            if (f_packed[8*v +: 8] != weight) in_packed = 1'b0;
            if (w_data[8*v +: 8] != weight) in_written = 1'b0;
        end
    end

    always @(posedge clk) if (checked && there) begin
        if (phase != 3'd0) i_its_row: assert (its_row < rows);
        if (reading && q == its_row) i_row: assert (in_row);
        if (passed && (phase > MAX || (phase == MAX && s >= 16'd2))) i_highest: assert (value <= highest);
        if (phase == MAX && s >= 16'd2) i_passed: assert (passed == (s >= 16'd3 && its_row < s - 16'd2));
        if (phase > MAX) i_passed_all: assert (passed);
        if (phase == SCALE) begin
            if (s >= 16'd2 && index == s - 16'd2) i_below: assert (f_below == below);
            if (s >= 16'd3 && index == product_index) a_product: assert (f_product == exact[22:0]);
            if (s >= 16'd3 && index < product_index && gathers) i_packed: assert (product > MOST || in_packed);
            if (writes && gathers) a_weight: assert (product > MOST || in_written);
        end
    end
endmodule

`default_nettype wire
