// SPDX-License-Identifier: Apache-2.0
// exp_lut: round(255·exp(−index/8)).
// Generated from impl/chip/integers.py by python -m impl.chip.verilog: do not edit.
//
// Ports     index (0 … 255) → value (0 … 255)
// Latency   none, combinational
// Reset     nothing
`default_nettype none

module exp_lut (
    input  wire [7:0] index,
    output reg  [7:0] value
);
    always @* begin
        case (index)
            8'd0: value = 8'd255;
            8'd1: value = 8'd225;
            8'd2: value = 8'd199;
            8'd3: value = 8'd175;
            8'd4: value = 8'd155;
            8'd5: value = 8'd136;
            8'd6: value = 8'd120;
            8'd7: value = 8'd106;
            8'd8: value = 8'd94;
            8'd9: value = 8'd83;
            8'd10: value = 8'd73;
            8'd11: value = 8'd64;
            8'd12: value = 8'd57;
            8'd13: value = 8'd50;
            8'd14: value = 8'd44;
            8'd15: value = 8'd39;
            8'd16: value = 8'd35;
            8'd17: value = 8'd30;
            8'd18: value = 8'd27;
            8'd19: value = 8'd24;
            8'd20: value = 8'd21;
            8'd21: value = 8'd18;
            8'd22: value = 8'd16;
            8'd23: value = 8'd14;
            8'd24: value = 8'd13;
            8'd25: value = 8'd11;
            8'd26: value = 8'd10;
            8'd27: value = 8'd9;
            8'd28: value = 8'd8;
            8'd29: value = 8'd7;
            8'd30: value = 8'd6;
            8'd31: value = 8'd5;
            8'd32: value = 8'd5;
            8'd33: value = 8'd4;
            8'd34: value = 8'd4;
            8'd35: value = 8'd3;
            8'd36: value = 8'd3;
            8'd37: value = 8'd2;
            8'd38: value = 8'd2;
            8'd39: value = 8'd2;
            8'd40: value = 8'd2;
            8'd41: value = 8'd2;
            8'd42: value = 8'd1;
            8'd43: value = 8'd1;
            8'd44: value = 8'd1;
            8'd45: value = 8'd1;
            8'd46: value = 8'd1;
            8'd47: value = 8'd1;
            8'd48: value = 8'd1;
            8'd49: value = 8'd1;
            default: value = 8'd0;
        endcase
    end
endmodule

`default_nettype wire
