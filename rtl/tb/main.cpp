// SPDX-License-Identifier: Apache-2.0
// A clock for `replay` under Verilator, and an exit status of 1 when a record failed.
#include "Vreplay.h"
#include "verilated.h"

int main(int argc, char** argv) {
    VerilatedContext context;
    context.commandArgs(argc, argv);
    Vreplay top{&context};
    top.clk = 0;
    while (!top.finished) {
        top.clk = !top.clk;
        top.eval();
    }
    return top.failed ? 1 : 0;
}
