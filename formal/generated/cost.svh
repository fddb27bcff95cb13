// SPDX-License-Identifier: Apache-2.0
// How long everything takes, in cycles. To be included in a module with a parameter N, the number of lanes.
// Generated from impl/chip/cost.py by python -m proofs.rtl.generate: do not edit.
localparam [31:0] COST_LANES = N;
localparam [31:0] COST_FETCH = 32'd4;
localparam [31:0] COST_DECODE = 32'd1;
localparam [31:0] COST_FETCH_OUTSIDE = 32'd1;

function [31:0] cost_rows_for(input [31:0] elements);
    cost_rows_for = ((elements + COST_LANES - 32'd1) / COST_LANES);
endfunction

function [31:0] cost_load(input [31:0] words);
    cost_load = words;
endfunction

function [31:0] cost_store(input [31:0] words);
    cost_store = (words + 32'd1);
endfunction

function [31:0] cost_matmul(input [31:0] length);
    cost_matmul = (((cost_rows_for(length) * (COST_LANES + 32'd1)) + COST_LANES) + 32'd5);
endfunction

function [31:0] cost_softmax(input [31:0] length);
    cost_softmax = ((((32'd2 * length) + cost_rows_for(length)) + 32'd24) + 32'd5);
endfunction

function [31:0] cost_add(input [31:0] rows);
    cost_add = (32'd3 * rows);
endfunction

function [31:0] cost_copy(input [31:0] rows);
    cost_copy = (32'd2 * rows);
endfunction

function [31:0] cost_argmax(input [31:0] length);
    cost_argmax = (cost_rows_for(length) + 32'd2);
endfunction
