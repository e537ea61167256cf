/** Preload module that throws an uncaught exception on a signal, as a defect would. */

const defect = (): never => {
  throw new TypeError("a defect of the test");
};

process.on("SIGUSR2", () => void setImmediate(defect));
process.on("SIGWINCH", () => void Promise.resolve().then(defect));
