/** Opens the port of a gRPC server in a test. */
import { ServerCredentials, type Server } from "@grpc/grpc-js";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { authority } from "../../platform/net/authority.ts";

/**
 * Listens in clear text; port 0 lets the system choose. Returns the port. Rejects with `node/port-in-use` when it is taken.
 */
export function bindGrpc(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const credentials = ServerCredentials.createInsecure();
    server.bindAsync(authority(host, port), credentials, (cause, bound) => {
      if (cause === null) resolve(bound);
      else reject(new SvcError("node/port-in-use", { port }, cause));
    });
  });
}
