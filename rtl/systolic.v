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
// Widths    W bits for weights and x, S for sums; the chip has 8 and 32
// Reset     everything to 0
`default_nettype none

module systolic #(
    parameter N = 16,
    parameter W = 8,
    parameter S = 32
) (
    input  wire clk,
    input  wire rst,
    input  wire load,
    input  wire [$clog2(N)-1:0] load_row,
    input  wire [W*N-1:0] w_in,
    input  wire en,
    input  wire [W*N-1:0] x_in,
    output wire [S*N-1:0] sum_out
`ifdef FORMAL
    // For proofs: what the elements hold, element (k, j) at N·k + j.
    ,
    output wire [W*N*N-1:0] f_weight,
    output wire [W*N*N-1:0] f_x,
    output wire [S*N*N-1:0] f_sum
`endif
);
    // One net for each element's outputs: simulators are slow on slices of one wide net.
    genvar k, j;
    generate
        for (k = 0; k < N; k = k + 1) begin : row
            wire load_this = load && load_row == k[$clog2(N)-1:0];
            for (j = 0; j < N; j = j + 1) begin : column
                wire [W-1:0] x;
                wire [S-1:0] sum;
                wire [W-1:0] x_before;
                wire [S-1:0] sum_before;
                if (j == 0) begin : left_edge
                    assign x_before = x_in[W*k +: W];
                end else begin : inner_column
                    assign x_before = row[k].column[j-1].x;
                end
                if (k == 0) begin : top_edge
                    assign sum_before = {S{1'b0}};
                end else begin : inner_row
                    assign sum_before = row[k-1].column[j].sum;
                end
                if (k == N - 1) begin : bottom_edge
                    assign sum_out[S*j +: S] = sum;
                end
                pe #(.W(W), .S(S)) pe_i (
                    .clk(clk),
                    .rst(rst),
                    .load(load_this),
                    .w_in(w_in[W*j +: W]),
                    .en(en),
                    .x_in(x_before),
                    .sum_in(sum_before),
                    .x_out(x),
                    .sum_out(sum)
`ifdef FORMAL
                    ,
                    .f_weight(f_weight[W*(N*k+j) +: W])
`endif
                );
`ifdef FORMAL
                assign f_x[W*(N*k+j) +: W] = x;
                assign f_sum[S*(N*k+j) +: S] = sum;
`endif
            end
            // What leaves the right edge goes nowhere.
            wire unused = &{1'b0, column[N-1].x};
        end
    endgenerate
endmodule

`default_nettype wire
