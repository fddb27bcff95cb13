// SPDX-License-Identifier: Apache-2.0
// systolic_pe_harness: layer 1 of systolic, one processing element with its multiplier, on real int8 and int32.
//
// Shown     A step hands x on and gives sum_in + weight·x, modulo 2^32, where weight is what the last load before this step brought
//           (0 after a reset). Without a step both outputs stand still, whatever is loaded. The product is what a second mul gives
//           for the same operands; that this is the product of two numbers is shown in systolic_mul_harness.
// Build     W = 8, S = 32: that of the chip.
// Assumed   m_pe_reset: rst is up in the first cycle. A chip is reset before it is used; later rst comes and goes at will.
`default_nettype none

module systolic_pe_harness (
    input wire clk,
    input wire rst,
    input wire load,
    input wire [7:0] w_in,
    input wire en,
    input wire [7:0] x_in,
    input wire [31:0] sum_in
);
    wire [7:0] x_out, f_weight;
    wire [31:0] sum_out;
    pe unit (
        .clk(clk), .rst(rst), .load(load), .w_in(w_in), .en(en), .x_in(x_in), .sum_in(sum_in),
        .x_out(x_out), .sum_out(sum_out), .f_weight(f_weight)
    );

    wire [15:0] product;
    mul #(.A(8), .B(8)) mul_i (.a(f_weight), .b(x_in), .p(product));

    reg was_reset = 1'b0;
    reg [7:0] weight, x;
    reg [31:0] sum;
    reg stepped, loaded;
    always @(posedge clk) begin
        if (rst) was_reset <= 1'b1;
        stepped <= en && !rst;
        loaded <= load && !rst;
        if (rst) begin
            weight <= 8'd0;
            x <= 8'd0;
            sum <= 32'd0;
        end else begin
            if (load) weight <= w_in;
            if (en) begin
                x <= x_in;
                sum <= sum_in + {{16{product[15]}}, product};
            end
        end
    end

    always @* begin
        m_pe_reset: assume (was_reset || rst);
    end

    always @* if (was_reset) begin
        a_pe_x: assert (x_out == x);
        a_pe_sum: assert (sum_out == sum);
        i_pe_weight: assert (f_weight == weight);
    end

    // Covers.
    always @* if (was_reset) begin
        c_pe_extremes: cover (stepped && sum == 32'd16384 && weight == 8'h80);
        c_pe_negative: cover (stepped && sum == -32'd16256 && weight == 8'h7f);
        c_pe_wraps: cover (stepped && sum == 32'h80000000 && x == 8'd1 && weight == 8'd1);
        c_pe_load_and_step: cover (stepped && loaded && sum == 32'd6 && x == 8'd3 && weight == 8'd7);
        c_pe_stands: cover (!stepped && loaded && sum == 32'd6);
    end
endmodule

`default_nettype wire
