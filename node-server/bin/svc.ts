#!/usr/bin/env node
/** Entry point of the program `svc`: starts the build that set-up made of these sources, otherwise the sources themselves. */
import { builtEntry } from "../app/program/builtProgram.ts";

const built = builtEntry("program");
if (built === null) await import("./program.ts");
else await import(built);
