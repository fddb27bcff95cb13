// SPDX-License-Identifier: Apache-2.0
// ga2_mm: matrix unit. A row of int8 times a matrix, requantised; the matrix passes through the array in tiles of N rows.
//
//   transposed = 0   d[j] = requant(Σ over i < length of a[i]·row[b+i][j]), one row; sums of the tiles are added up
//   transposed = 1   d[i] = requant(Σ over j < N of a[j]·row[b+i][j]) for i < length, 0 up to the end of the last row
//
// A tile takes N + 1 cycles. Seen from its first cycle, 0:
//   0         read the row of a (transposed: only in the first tile)
//   1 + k     read row k of the tile (transposed: column k of its rows); beyond `length` it counts as zeros
//   2 + k     load it into row k of the array
//   3 + k     a[k] enters row k of the array
//   N+3 + j   sum j leaves the array: one a cycle, so one accumulator and one requant are enough
//   N+4 + j   total j is multiplied, in N+5 + j it is shifted, in N+6 + j it is part of the row to write
// The last sum of a row goes straight into the write, in cycle 2·N + 5.
//
// Ports     start, transposed, d, a, b, length ≥ 1, multiplier, shift → busy, done
//           r_en, r_row, r_by_column, r_column → r_data a cycle later · w_en, w_row, w_data: a whole row
// Protocol  start is taken when not busy; done is up in the last busy cycle, that of the last write
// Latency   ceil(length / N)·(N + 1) + N + 5
// Reset     to idle
`default_nettype none

module ga2_mm #(
    parameter N = 16
) (
    input  wire clk,
    input  wire rst,
    input  wire start,
    input  wire transposed,
    input  wire [15:0] d,
    input  wire [15:0] a,
    input  wire [15:0] b,
    input  wire [15:0] length,
    input  wire [15:0] multiplier,
    input  wire [5:0] shift,
    output reg  busy,
    output wire done,
    output wire r_en,
    output wire [15:0] r_row,
    output wire r_by_column,
    output wire [$clog2(N)-1:0] r_column,
    input  wire [8*N-1:0] r_data,
    output wire w_en,
    output wire [15:0] w_row,
    output wire [8*N-1:0] w_data
`ifdef FORMAL
    // For proofs: the registers of the stages below, and what passes to and from the array and requant.
    ,
    output wire f_across,
    output wire f_reading,
    output wire [$clog2(N+4)-1:0] f_step,
    output wire [15:0] f_left,
    output wire [15:0] f_a_row,
    output wire [15:0] f_b_row,
    output wire [8*N-1:0] f_x,
    output wire f_load,
    output wire [$clog2(N)-1:0] f_load_row,
    output wire [8*N-1:0] f_weights,
    output wire [8*N-1:0] f_edges,
    output wire [32*N-1:0] f_sums,
    output wire f_leading,
    output wire f_leaving,
    output wire [$clog2(N+4)-1:0] f_j,
    output wire f_fresh,
    output wire [15:0] f_due,
    output wire [32*N-1:0] f_kept,
    output wire [31:0] f_total,
    output wire [2:0] f_valid,
    output wire [2:0] f_ends_row,
    output wire [2:0] f_ends_all,
    output wire [15:0] f_factor,
    output wire [5:0] f_places,
    output wire [7:0] f_q
`endif
);
    localparam LW = $clog2(N);
    localparam SW = $clog2(N + 4);
    localparam [SW-1:0] LAST_STEP = N[SW-1:0];
    localparam [SW-1:0] LAST_LEAD = N[SW-1:0] + 2;
    localparam [15:0] TILE = N[15:0];

    // The command.
    reg across;
    reg [15:0] factor;
    reg [5:0] places;

    // 1. Reading: step 0 is the row of a, step 1 + k row k of the tile.
    reg reading;
    reg first_tile;
    reg [SW-1:0] step;
    reg [15:0] left;
    reg [15:0] a_row;
    reg [15:0] b_row;
    wire [SW-1:0] k_wide = step - 1'b1;
    wire [LW-1:0] k = k_wide[LW-1:0];
    wire at_a = reading && step == {SW{1'b0}};
    wire at_b = reading && step != {SW{1'b0}};
    wire exists = across || {{16-LW{1'b0}}, k} < left;
    wire reads_a = at_a && (first_tile || !across);

    assign r_en = reads_a || (at_b && exists);
    assign r_row = at_a ? a_row : b_row;
    assign r_by_column = at_b && across;
    assign r_column = k;

    // 2. Loading: what was read arrives.
    reg a_arrives;
    reg b_arrives;
    reg b_exists;
    reg [LW-1:0] b_k;
    reg [15:0] b_left;
    reg [8*N-1:0] x;
    reg [8*N-1:0] weights;
    integer i;
    always @* begin
        for (i = 0; i < N; i = i + 1)
            weights[8*i +: 8] = b_exists && (!across || i[15:0] < b_left) ? r_data[8*i +: 8] : 8'd0;
    end

    // 3. Entering: element k of a follows row k into the array.
    reg enters;
    reg [LW-1:0] x_k;
    reg [8*N-1:0] edges;
    integer e;
    always @* begin
        for (e = 0; e < N; e = e + 1)
            edges[8*e +: 8] = enters && x_k == e[LW-1:0] ? x[8*e +: 8] : 8'd0;
    end

    wire [32*N-1:0] sums;
    systolic #(.N(N)) systolic_i (
        .clk(clk),
        .rst(rst),
        .load(b_arrives),
        .load_row(b_k),
        .w_in(weights),
        .en(busy),
        .x_in(edges),
        .sum_out(sums)
    );

    // 4. Leaving: sum j is added to what the tiles before left; of an across product every tile is complete.
    reg leading;                // the first sum is still on its way
    reg leaving;
    reg [SW-1:0] j;             // 0 … N−1, and N for the cycle between two tiles
    reg fresh;                  // nothing to add to
    reg [15:0] due;             // elements that the sums from this tile on stand for
    reg [31:0] kept [0:N-1];
    wire sum_leaves = leaving && j != LAST_STEP;
    wire final_tile = due <= TILE;
    wire [31:0] sum = sums[32*j[LW-1:0] +: 32];
    wire [31:0] together = (fresh ? 32'd0 : kept[j[LW-1:0]]) + sum;
    reg [31:0] total;

    // 5. Requantising and packing: flags that travel with the value.
    reg [2:0] valid;
    reg [2:0] ends_row;
    reg [2:0] ends_all;
    reg [8*N-9:0] packed_row;
    reg [15:0] d_row;
    wire [7:0] q;
    requant requant_i (.clk(clk), .total(total), .multiplier(factor), .shift(places), .q(q));

    assign w_en = valid[2] && ends_row[2];
    assign w_row = d_row;
    assign w_data = {q, packed_row};
    assign done = w_en && ends_all[2];

    always @(posedge clk) begin
        if (rst) begin
            busy <= 1'b0;
            across <= 1'b0;
            factor <= 16'd0;
            places <= 6'd1;
            reading <= 1'b0;
            first_tile <= 1'b0;
            step <= {SW{1'b0}};
            left <= 16'd0;
            a_row <= 16'd0;
            b_row <= 16'd0;
            a_arrives <= 1'b0;
            b_arrives <= 1'b0;
            b_exists <= 1'b0;
            b_k <= {LW{1'b0}};
            b_left <= 16'd0;
            x <= {8*N{1'b0}};
            enters <= 1'b0;
            x_k <= {LW{1'b0}};
            leading <= 1'b0;
            leaving <= 1'b0;
            j <= {SW{1'b0}};
            fresh <= 1'b0;
            due <= 16'd0;
            total <= 32'd0;
            valid <= 3'd0;
            ends_row <= 3'd0;
            ends_all <= 3'd0;
            packed_row <= {8*N-8{1'b0}};
            d_row <= 16'd0;
        end else begin
            if (start && !busy) begin
                busy <= 1'b1;
                across <= transposed;
                factor <= multiplier;
                places <= shift;
                reading <= 1'b1;
                first_tile <= 1'b1;
                step <= {SW{1'b0}};
                left <= length;
                a_row <= a;
                b_row <= b;
                leading <= 1'b1;
                j <= {SW{1'b0}};
                fresh <= 1'b1;
                due <= length;
                d_row <= d;
            end else if (done) begin
                busy <= 1'b0;
            end

            if (reading) begin
                if (at_a) a_row <= a_row + 16'd1;
                if (at_b && !across) b_row <= b_row + 16'd1;
                if (step == LAST_STEP) begin
                    step <= {SW{1'b0}};
                    first_tile <= 1'b0;
                    left <= left - TILE;
                    if (across) b_row <= b_row + TILE;
                    if (left <= TILE) reading <= 1'b0;
                end else begin
                    step <= step + 1'b1;
                end
            end

            a_arrives <= reads_a;
            b_arrives <= at_b;
            b_exists <= exists;
            b_k <= k;
            b_left <= left;
            if (a_arrives) x <= r_data;

            enters <= b_arrives;
            x_k <= b_k;

            if (leading) begin
                j <= j + 1'b1;
                if (j == LAST_LEAD) begin
                    leading <= 1'b0;
                    leaving <= 1'b1;
                    j <= {SW{1'b0}};
                end
            end else if (leaving) begin
                if (j == LAST_STEP) begin
                    j <= {SW{1'b0}};
                    fresh <= across;
                    due <= due - TILE;
                end else begin
                    kept[j[LW-1:0]] <= together;
                    j <= j + 1'b1;
                    if (final_tile && j == LAST_STEP - 1'b1) leaving <= 1'b0;
                end
            end
            total <= together;

            valid <= {valid[1:0], sum_leaves && (across || final_tile)};
            ends_row <= {ends_row[1:0], j == LAST_STEP - 1'b1};
            ends_all <= {ends_all[1:0], final_tile};
            if (valid[2]) packed_row <= w_data[8*N-1:8];
            if (w_en) d_row <= d_row + 16'd1;
        end
    end

    wire unused = &{1'b0, k_wide};

`ifdef FORMAL
    assign f_across = across;
    assign f_reading = reading;
    assign f_step = step;
    assign f_left = left;
    assign f_a_row = a_row;
    assign f_b_row = b_row;
    assign f_x = x;
    assign f_load = b_arrives;
    assign f_load_row = b_k;
    assign f_weights = weights;
    assign f_edges = edges;
    assign f_sums = sums;
    assign f_leading = leading;
    assign f_leaving = leaving;
    assign f_j = j;
    assign f_fresh = fresh;
    assign f_due = due;
    assign f_total = total;
    assign f_valid = valid;
    assign f_ends_row = ends_row;
    assign f_ends_all = ends_all;
    assign f_factor = factor;
    assign f_places = places;
    assign f_q = q;
    genvar f;
    generate
        for (f = 0; f < N; f = f + 1) begin : observed
            assign f_kept[32*f +: 32] = kept[f];
        end
    endgenerate
`endif
endmodule

`default_nettype wire
