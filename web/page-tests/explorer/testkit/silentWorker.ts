/** A worker that never answers: checks of pages are loaded, and come to no verdict. */
export class SilentWorker {
  postMessage(): void {}
  addEventListener(): void {}
  removeEventListener(): void {}
  terminate(): void {}
}
