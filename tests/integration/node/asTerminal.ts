/** Preload module that makes standard error look like a terminal, so that the program shows its progress. */

Object.defineProperty(process.stderr, "isTTY", { value: true });
