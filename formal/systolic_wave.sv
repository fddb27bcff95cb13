// SPDX-License-Identifier: Apache-2.0
// systolic_wave: follows one vector through the array, for systolic_flow_harness.
//
// It begins in any step T with `begins` and keeps what systolic's protocol names: element k that is at x_in[k] in step T + k, and
// the weight that row k has then in the watched column. Its sum is complete after step T + N − 1 + column: `over` is up until the
// next step. `age` counts the steps since T, that one included; x and w are kept for rows below age.
// taking: a step now would take element k and its weight.
// locked: row k is in use, so that the protocol forbids to load it: from step T + k until step T + k + N − 1 is over.
`default_nettype none

module systolic_wave #(
    parameter N = 4,
    parameter W = 8,
    parameter AW = $clog2(2 * N + 1)
) (
    input  wire clk,
    input  wire rst,
    input  wire load,
    input  wire [$clog2(N)-1:0] load_row,
    input  wire [W*N-1:0] w_in,
    input  wire en,
    input  wire [W*N-1:0] x_in,
    input  wire begins,
    input  wire [$clog2(N)-1:0] column,
    output reg  follows,
    output reg  over,
    output reg  [AW-1:0] age,
    output reg  [W*N-1:0] weights,
    output reg  [W*N-1:0] x,
    output reg  [W*N-1:0] w,
    output reg  [N-1:0] locked,
    output reg  [N-1:0] taking
);
    wire takes_part = follows || begins;
    wire [AW-1:0] now = follows ? age : {AW{1'b0}};
    integer k;

    always @* begin
        for (k = 0; k < N; k = k + 1) begin
            taking[k] = takes_part && now == k;
            locked[k] = takes_part && (en ? now >= k : now > k) && now <= k + N - 1;
        end
    end

    integer i;
    always @(posedge clk) begin
        if (rst) begin
            follows <= 1'b0;
            over <= 1'b0;
            weights <= {W*N{1'b0}};
        end else begin
            if (load) weights[W*load_row +: W] <= w_in[W*column +: W];
            if (en) begin
                follows <= takes_part && now != N - 1 + column;
                over <= takes_part && now == N - 1 + column;
                age <= now + 1'b1;
                for (i = 0; i < N; i = i + 1) begin
                    if (taking[i]) begin
                        x[W*i +: W] <= x_in[W*i +: W];
                        w[W*i +: W] <= weights[W*i +: W];
                    end
                end
            end
        end
    end
endmodule

`default_nettype wire
