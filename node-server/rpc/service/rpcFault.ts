/** An error whose exact words clients of the gRPC stream look for (specification network 2.3). */
export class RpcFault extends Error {
  override readonly name = "RpcFault";
}
