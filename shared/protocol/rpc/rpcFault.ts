/** An RPC error whose exact words clients of the gRPC API look for (specification network 2.3). */
export class RpcFault extends Error {
  override readonly name = "RpcFault";
}
