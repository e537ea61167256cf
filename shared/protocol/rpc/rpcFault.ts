/** An RPC error whose exact words clients of the gRPC API look for (specification network 2.3). */
export class RpcFault extends Error {
  override readonly name = "RpcFault";
  /** Code, sentence and data as JSON, for clients that look for those; undefined where nobody gave any. */
  readonly json: string | undefined;

  constructor(words: string, json?: string) {
    super(words);
    this.json = json;
  }
}
