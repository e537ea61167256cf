/**
 * Polyfill of `Symbol.dispose` for browsers that lack it. Imported before anything that declares a disposable class,
 * because such a class reads the symbol when it is defined.
 */
if (Symbol.dispose === undefined) {
  Object.defineProperty(Symbol, "dispose", { value: Symbol.for("Symbol.dispose") });
}
