// SPDX-License-Identifier: Apache-2.0
// systolic_flow_harness: layers 2 and 3 of systolic, the whole array.
//
// Shown     A vector that enters as the protocol says leaves the array, in the watched column, as the sum over k of the term of x[k] and
//           weight[k][column]: after step T + N − 1 + column, and it stands there until the next step. This holds whatever enters
//           before and after it, whatever is loaded into rows that are not in use, and with pauses anywhere.
//           The vector may begin in any step and the column is any one: so it holds for all vectors and all columns.
// Layers    flow (N = 8, flow4: N = 4): int8, int32, and an operation that is no multiplication in place of module mul. That carries
//           over to any operation: no data reaches a condition in systolic or pe, and mul is a box to both, so what leaves is a
//           sum of terms mul(weight, x) whose operands are chosen by load, load_row, en and rst alone; if that choice were another one,
//           the sums of this operation would differ (systolic_mul.sv). This step is an argument, not a proof by machine.
//           narrow: N = 4, int4, the array's own multiplier; the terms are products of integers.
// Assumed   1 m_reset: rst is up in the first cycle. A chip is reset before it is used; later rst comes and goes at will.
//           2 m_protocol: a row in use is not loaded, from step T + k until step T + k + N − 1 is over. ga2_mm loads row k in the cycle
//             before step T + k, and next N + 1 cycles later: a_no_row_in_use in ga2_mm_harness, a_edge in ga2_mm_reads_harness.
`default_nettype none

module systolic_flow_harness #(
    parameter N = 4,
    parameter W = 8,
    parameter S = 32
) (
    input wire clk,
    input wire rst,
    input wire load,
    input wire [$clog2(N)-1:0] load_row,
    input wire [W*N-1:0] w_in,
    input wire en,
    input wire [W*N-1:0] x_in,
    input wire begins
);
    localparam LW = $clog2(N);
    localparam AW = $clog2(2 * N + 1);
    (* anyconst *) reg [LW-1:0] column;

    wire [S*N-1:0] sum_out;
    wire [W*N*N-1:0] f_weight, f_x;
    wire [S*N*N-1:0] f_sum;
    systolic #(.N(N), .W(W), .S(S)) unit (
        .clk(clk), .rst(rst), .load(load), .load_row(load_row), .w_in(w_in), .en(en), .x_in(x_in), .sum_out(sum_out),
        .f_weight(f_weight), .f_x(f_x), .f_sum(f_sum)
    );

    wire follows, over;
    wire [AW-1:0] age;
    wire [W*N-1:0] weights, x, w;
    wire [N-1:0] locked, taking;
    systolic_wave #(.N(N), .W(W)) wave (
        .clk(clk), .rst(rst), .load(load), .load_row(load_row), .w_in(w_in), .en(en), .x_in(x_in), .begins(begins), .column(column),
        .follows(follows), .over(over), .age(age), .weights(weights), .x(x), .w(w), .locked(locked),
        .taking(taking)
    );

    // Term k, made in the step in which its operands meet the protocol, and the sum of the first k.
    wire [S*N-1:0] term_now, term_again;
    reg [S-1:0] term [0:N-1];
    wire [S-1:0] sum [0:N];
    assign sum[0] = {S{1'b0}};
    genvar t;
    generate
        for (t = 0; t < N; t = t + 1) begin : element
            systolic_term #(.W(W), .S(S)) now_i (.weight(weights[W*t +: W]), .x(x_in[W*t +: W]), .term(term_now[S*t +: S]));
            systolic_term #(.W(W), .S(S)) again_i (.weight(w[W*t +: W]), .x(x[W*t +: W]), .term(term_again[S*t +: S]));
            always @(posedge clk) if (en && taking[t]) term[t] <= term_now[S*t +: S];
            assign sum[t+1] = sum[t] + term[t];
        end
    endgenerate

    // What the elements of the watched column get from mul in this cycle, where the vector meets them.
    reg [N-1:0] product_right;
    wire [S*N*N-1:0] products;
    genvar r, c;
    generate
        for (r = 0; r < N; r = r + 1) begin : row
            for (c = 0; c < N; c = c + 1) begin : cell
                wire [W-1:0] meets;
                wire [2*W-1:0] product;
                if (c == 0) assign meets = x_in[W*r +: W];
                else assign meets = f_x[W*(N*r+c-1) +: W];
                mul #(.A(W), .B(W)) mul_i (.a(f_weight[W*(N*r+c) +: W]), .b(meets), .p(product));
                assign products[S*(N*r+c) +: S] = {{S-2*W{product[2*W-1]}}, product};
            end
        end
    endgenerate

    reg was_reset = 1'b0;
    always @(posedge clk) if (rst) was_reset <= 1'b1;

    always @* begin
        m_reset: assume (was_reset || rst);
        m_protocol: assume (!load || !locked[load_row]);
    end

    // Where the vector is: after `age` steps element k has reached column age − 1 − k, and row age − 1 − column has its partial sum.
    reg [N-1:0] weight_kept, weight_same, x_there, sum_there, term_right;
    integer k, j;
    always @* begin
        for (k = 0; k < N; k = k + 1) begin
            weight_kept[k] = f_weight[W*(N*k+column) +: W] == weights[W*k +: W];
            weight_same[k] = age <= k || age > k + N - 1 || w[W*k +: W] == weights[W*k +: W];
            sum_there[k] = age != k + column + 1 || f_sum[S*(N*k+column) +: S] == sum[k+1];
            term_right[k] = age <= k || term[k] == term_again[S*k +: S];
            product_right[k] = 1'b1;
            x_there[k] = 1'b1;
            for (j = 0; j < N; j = j + 1) begin
                if (column == j && (j == 0 ? taking[k] : follows && age == k + j) &&
                    products[S*(N*k+j) +: S] != (j == 0 ? term_now[S*k +: S] : term[k])) product_right[k] = 1'b0;
                if (age == k + j + 1 && f_x[W*(N*k+j) +: W] != x[W*k +: W]) x_there[k] = 1'b0;
            end
        end
    end

    wire [S-1:0] leaves = sum_out[S*column +: S];
    always @* if (was_reset) begin
        a_sum: assert (!over || leaves == sum[N]);
        i_terms: assert (!(follows || over) || &term_right);
        i_products: assert (&product_right);
        i_age: assert (!follows || (!over && age != 0 && age <= N - 1 + column));
        i_weight_kept: assert (&weight_kept);
        i_weight_same: assert (!follows || &weight_same);
        i_x_there: assert (!follows || &x_there);
        i_sum_there: assert (!follows || &sum_there);
    end

    // Covers.
    always @* if (was_reset) begin
        c_last_column: cover (over && column == N - 1 && sum[N] != sum[N-1] && sum[1] != {S{1'b0}});
        c_negative: cover (over && sum[N][S-1] && sum[1][S-1]);
        c_next_tile: cover (follows && load && load_row == 0 && age == N + 1);
        c_pause: cover (follows && !en && age == N);
        c_next_vector: cover (over && begins && en);
    end
endmodule

`default_nettype wire
