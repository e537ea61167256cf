/** The core's note tree behind the wallet's interface, with errors of the project. */
import { callCore } from "../../core/callCore.ts";
import type { CoreGlue, RawNoteTree } from "../../core/generated/coreGlue.ts";
import type { NoteTree } from "./noteTree.ts";

/** The core's tree. */
export class CoreTree implements NoteTree {
  readonly #tree: RawNoteTree;

  /** Opens a node's tree state or a stored snapshot. Throws `codec/…`, `shielded/…`. */
  constructor(core: Pick<CoreGlue, "NoteTree">, bytes: Uint8Array) {
    this.#tree = callCore(() => new core.NoteTree(bytes));
  }

  append(cmx: Uint8Array): void {
    callCore(() => this.#tree.append(cmx));
  }

  subtree(first: bigint, height: number): Uint8Array {
    return callCore(() => this.#tree.subtree(first, height));
  }

  appendSubtree(nodes: Uint8Array): void {
    callCore(() => this.#tree.appendSubtree(nodes));
  }

  truncate(size: bigint): void {
    callCore(() => this.#tree.truncate(size));
  }

  size(): bigint {
    return this.#tree.size();
  }

  root(size: bigint): Uint8Array {
    return callCore(() => this.#tree.root(size));
  }

  path(position: bigint, size: bigint): Uint8Array {
    return callCore(() => this.#tree.path(position, size));
  }

  toBytes(): Uint8Array {
    return callCore(() => this.#tree.toBytes());
  }

  free(): void {
    this.#tree.free();
  }
}
