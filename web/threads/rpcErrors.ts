/**
 * Serialisation of errors between threads: Comlink keeps only name and message of an `Error`, so what is thrown in a worker
 * crosses as code and data and is an `SvcError` again on the other side. Every thread that talks Comlink calls
 * `installRpcErrors` once, before its first message.
 */
import { transferHandlers } from "comlink";
import { SvcError, type ErrorJson } from "@svc/shared/base/svcError.ts";

type Thrown = { readonly value: unknown };

/** Makes this thread send and understand `SvcError`. */
export function installRpcErrors(): void {
  const builtIn = transferHandlers.get("throw");
  if (builtIn === undefined) throw new TypeError("Comlink has a handler for thrown values");
  transferHandlers.set("throw", {
    canHandle: (value: unknown): value is unknown => builtIn.canHandle(value),
    serialize: (thrown: unknown): [ErrorJson, Transferable[]] => [
      SvcError.from(isThrown(thrown) ? thrown.value : thrown).toJSON(),
      [],
    ],
    deserialize: (json: unknown): never => {
      throw SvcError.fromJson(json);
    },
  });
}

function isThrown(value: unknown): value is Thrown {
  return typeof value === "object" && value !== null && "value" in value;
}
