/** HTTP client for the node's endpoints that a wallet does not need: the tip as people see it, and the local miner. */
import { WALLET_LIMITS } from "@svc/shared/wallet/walletLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { readMinerAnswer, type MinerAnswer } from "@svc/shared/protocol/facts/poolFacts.ts";
import { readTipAnswer, type TipAnswer } from "@svc/shared/protocol/facts/tipFacts.ts";
import { bodyWithin } from "@svc/shared/base/bodyWithin.ts";
import { readNodeError, type NodeQuestion } from "@svc/shared/wallet/node/nodeAnswers.ts";

/** The tip with everything around it. Rejects with `wallet/node-unreachable` and the node's codes. */
export async function askTip(url: string, signal: AbortSignal): Promise<TipAnswer> {
  return readTipAnswer(await askText("tip", { url, path: "/v1/tip" }, signal));
}

/** The local miner; null where there is none. A node lets the pages that it serves itself ask, and no others. */
export async function askMiner(url: string, signal: AbortSignal): Promise<MinerAnswer | null> {
  if (url !== location.origin) return null;
  try {
    return readMinerAnswer(await askText("miner", { url, path: "/local/mine" }, signal));
  } catch (error) {
    const none = SvcError.is(error, "http/not-found", "http/unavailable", "codec/bad-json");
    if (none) return null;
    throw error;
  }
}

/** Lets the local miner pay this address from now on. */
export async function tellMiner(
  url: string,
  address: string,
  signal: AbortSignal,
): Promise<MinerAnswer> {
  const headers = { "Content-Type": "application/json" };
  const request = { method: "POST", headers, body: JSON.stringify({ address }) };
  await askText("miner", { url, path: "/local/mine", request }, signal);
  return readMinerAnswer(await askText("miner", { url, path: "/local/mine" }, signal));
}

/** One HTTP request. */
export type Asked = {
  readonly url: string;
  readonly path: string;
  readonly request?: RequestInit;
};

/** The text of an answer. Rejects with the codes that fit the question, `wallet/node-unreachable` and `run/aborted`. */
export async function askText(
  question: NodeQuestion,
  { url, path, request = {} }: Asked,
  signal: AbortSignal,
): Promise<string> {
  const within = AbortSignal.any([signal, AbortSignal.timeout(WALLET_LIMITS.nodeRequestMs)]);
  try {
    const response = await fetch(url + path, {
      ...request,
      signal: within,
      credentials: "omit",
      cache: "no-store",
    });
    const bytes = await bodyWithin(response, WALLET_LIMITS.nodeAnswerBytes);
    if (!response.ok) throw readNodeError(question, response.status, bytes);
    return new TextDecoder().decode(bytes);
  } catch (error) {
    if (error instanceof SvcError) throw error;
    if (signal.aborted) throw new SvcError("run/aborted", {}, error);
    throw new SvcError("wallet/node-unreachable", { url }, error);
  }
}
