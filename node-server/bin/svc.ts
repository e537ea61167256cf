#!/usr/bin/env node
/** The program `svc`: as set-up built it where it was built from these sources, otherwise the sources themselves. */
import { builtEntry } from "../app/builtProgram.ts";

const built = builtEntry("program");
if (built === null) await import("./program.ts");
else await import(built);
