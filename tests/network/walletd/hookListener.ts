/** Listens for webhooks on the loopback interface until the test ends. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { listenLocally } from "@svc/node-server/platform/testkit/listenLocally.ts";

/** What takes a delivery that came whole, and answers it or leaves it without an answer. */
export type TakesDelivery = (
  body: Buffer,
  request: IncomingMessage,
  response: ServerResponse,
) => Promise<void>;

/** Listens, and returns where deliveries go. Deliveries whose sender is killed in the middle are given to nobody. */
export async function hookListener(take: TakesDelivery): Promise<string> {
  const server = createServer((request, response) => {
    void buffer(request).then(
      (body) => take(body, request, response),
      () => undefined,
    );
  });
  const port = await listenLocally(server);
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${port}/hook`;
}
