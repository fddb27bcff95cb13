// SPDX-License-Identifier: Apache-2.0
// systolic: N × N processing elements, weight stationary. Row k of the array holds row k of a matrix.
//
//   x_in[0] → pe00 → pe01 → …          x moves right, one element a step
//               ↓      ↓               sums move down, one element a step
//   x_in[1] → pe10 → pe11 → …
//               ↓      ↓
//            sum_out[0] sum_out[1]
//
// Ports     load, load_row, w_in: replace the weights of one row · en: take a step · x_in: the left edge · sum_out: the
//           bottom edge
// Protocol  a vector enters skewed: element k in step T + k at x_in[k]. Weights are used when x passes, so row k may be loaded
//           in any cycle before step T + k, and again once step T + k + N − 1 is over: a new matrix can follow the old one row by
//           row, which is why one set of weights is enough for a new tile every N cycles.
// Latency   sum_out[j] = Σ over k of x[k]·weight[k][j] after step T + N − 1 + j
// Reset     everything to 0
`default_nettype none

module systolic #(
    parameter N = 16
) (
    input  wire clk,
    input  wire rst,
    input  wire load,
    input  wire [$clog2(N)-1:0] load_row,
    input  wire [8*N-1:0] w_in,
    input  wire en,
    input  wire [8*N-1:0] x_in,
    output wire [32*N-1:0] sum_out
);
    // One net for each element's outputs: simulators are slow on slices of one wide net.
    genvar k, j;
    generate
        for (k = 0; k < N; k = k + 1) begin : row
            wire load_this = load && load_row == k[$clog2(N)-1:0];
            for (j = 0; j < N; j = j + 1) begin : column
                wire [7:0] x;
                wire [31:0] sum;
                wire [7:0] x_before;
                wire [31:0] sum_before;
                if (j == 0) begin : left_edge
                    assign x_before = x_in[8*k +: 8];
                end else begin : inner_column
                    assign x_before = row[k].column[j-1].x;
                end
                if (k == 0) begin : top_edge
                    assign sum_before = 32'd0;
                end else begin : inner_row
                    assign sum_before = row[k-1].column[j].sum;
                end
                if (k == N - 1) begin : bottom_edge
                    assign sum_out[32*j +: 32] = sum;
                end
                pe pe_i (
                    .clk(clk),
                    .rst(rst),
                    .load(load_this),
                    .w_in(w_in[8*j +: 8]),
                    .en(en),
                    .x_in(x_before),
                    .sum_in(sum_before),
                    .x_out(x),
                    .sum_out(sum)
                );
            end
            // What leaves the right edge goes nowhere.
            wire unused = &{1'b0, column[N-1].x};
        end
    endgenerate
endmodule

`default_nettype wire
