/**
 * `svc gateway` killed with a payment of x402 on its way: the node has it, and the gateway has not heard so. After a new start the same
 * question has its answer, and the payment went out once.
 */
import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { afterEach, expect, it } from "vitest";
import { listenLocally } from "@svc/node-server/platform/testkit/listenLocally.ts";
import { temporaryFolder } from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { GatewayClient } from "@svc/shared/protocol/gateway/gatewayClient.ts";
import { ListeningProgram } from "../../network/testkit/listeningProgram.ts";
import { never, startTestNode } from "../node/nodeFixture.ts";
import { untilFound } from "../node/untilFound.ts";
import { fund } from "../walletd/walletApiCalls.ts";
import { addSeller } from "./x402Scene.ts";
import { X402Wallet } from "./x402Wallet.ts";

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

/** A line to the node that can keep what the node says from the gateway. */
class HeldLine {
  isHeld = false;
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;

  constructor(target: number) {
    this.#server = createServer((client) => {
      const node = connect(target, "127.0.0.1");
      for (const socket of [client, node]) {
        this.#sockets.add(socket);
        socket.on("error", () => socket.destroy());
        socket.on("close", () => {
          this.#sockets.delete(socket);
          client.destroy();
          node.destroy();
        });
      }
      client.on("data", (data) => node.write(data));
      node.on("data", (data) => {
        if (!this.isHeld) client.write(data);
      });
    });
  }

  listen(): Promise<number> {
    return listenLocally(this.#server);
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, "close");
  }
}

function gatewayAt(folder: string, node: number): ListeningProgram {
  const program = new ListeningProgram({
    name: "gateway",
    command: [
      "node-server/bin/svc.ts",
      "gateway",
      "--network=simnet",
      `--gateway-dir=${folder}`,
      `--rpc-server=127.0.0.1:${node}`,
      "--gateway-listen=127.0.0.1:0",
    ],
    home: folder,
    listens: /^API +(http:\/\/\S+)/,
    log: [],
  });
  closers.push(() => program.end());
  return program;
}

it("a gateway killed between the outbox and the answer settles the payment once", async () => {
  const folder = temporaryFolder();
  closers.push(() => folder.remove());
  const apiKey = await addSeller(folder.path);
  const node = await startTestNode(null);
  closers.push(() => node.stop());
  await fund(node);
  const wallet = await X402Wallet.start(node);
  closers.push(() => wallet.stop());
  const line = new HeldLine(Number(node.grpcAddress?.split(":").at(-1)));
  const port = await line.listen();
  closers.push(() => line.close());
  const first = gatewayAt(folder.path, port);
  const api = new GatewayClient({ baseUrl: await first.listening(), apiKey });
  const wish = { amountSompi: 20_000_000n, resource: "GET https://api.example/report" };
  const asked = await untilFound(() => api.createChallenge(wish, { signal: never }).catch(notYet));
  const { requirements } = asked;
  const raw = await wallet.sign([requirements]);
  const transaction = Buffer.from(raw).toString("base64");
  const call = {
    paymentPayload: { x402Version: 2, accepted: requirements, payload: { transaction } },
    paymentRequirements: requirements,
  };
  const keyed = { signal: never, idempotencyKey: "the-request" };
  expect(await api.verifyPayment(call, keyed)).toMatchObject({ isValid: true });
  line.isHeld = true;
  const unanswered = api.settlePayment(call, keyed).catch((error: unknown) => error);
  await untilFound(async () => node.api.waiting().length > 0);
  await first.kill();
  expect(SvcError.is(await unanswered, "gateway/unreachable")).toBe(true);
  line.isHeld = false;
  const second = gatewayAt(folder.path, port);
  const again = new GatewayClient({ baseUrl: await second.listening(), apiKey });
  const settled = await untilFound(async () => {
    const answer = await again.settlePayment(call, keyed).catch(notYet);
    return answer !== false && answer.success && answer;
  });
  const [held] = node.api.waiting();
  expect(settled).toMatchObject({ transaction: held?.txid, extra: { replayed: false } });
  expect(node.api.waiting()).toHaveLength(1);
  expect(await again.verifyPayment(call, keyed)).toMatchObject({ isValid: false });
  const invoice = await again.invoice(requirements.extra.challenge, { signal: never });
  expect(invoice).toMatchObject({ status: "paid", paidSompi: 20_000_000n });
  expect(await second.stop()).toBe(0);
});

/** A gateway that has just begun has no address yet, and no node. */
function notYet(error: unknown): false {
  if (SvcError.is(error, "gateway/no-address", "http/unavailable", "wallet/node-unreachable")) {
    return false;
  }
  throw error;
}
