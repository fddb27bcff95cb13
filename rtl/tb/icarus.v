// SPDX-License-Identifier: Apache-2.0
// icarus: a clock for `replay`, an exit status of 1 when a record failed, and a waveform on request.
//
// Argument  +vcd=FILE   write every signal of the chip there
`default_nettype none

module icarus;
    parameter N = 16;
    parameter SRAM_ROWS = 128;
    parameter ROWMEM_ROWS = 128;
    parameter EXTERNAL_WORDS = 8192;
    parameter MAX_CONTEXT = 64;

    reg clk = 1'b0;
    wire finished, failed;

    replay #(
        .N(N),
        .SRAM_ROWS(SRAM_ROWS),
        .ROWMEM_ROWS(ROWMEM_ROWS),
        .EXTERNAL_WORDS(EXTERNAL_WORDS),
        .MAX_CONTEXT(MAX_CONTEXT)
    ) replay_i (.clk(clk), .finished(finished), .failed(failed));

    reg [8*512-1:0] waveform;
    initial if ($value$plusargs("vcd=%s", waveform)) begin
        $dumpfile(waveform);
        $dumpvars(0, replay_i.chip);
    end

    always #1 clk = !clk;
    always @(posedge finished) $finish_and_return(failed ? 1 : 0);
endmodule

`default_nettype wire
