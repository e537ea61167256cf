/** Runs before the program: it takes its standard error for a terminal, so that it shows its progress. */

Object.defineProperty(process.stderr, "isTTY", { value: true });
