/** Names of changes of the rules, as messages of the catalogues. */
import type { PlainKey, PageTexts } from "./pageTexts.ts";

const KEYS = {
  toccata: "rule.toccata",
  mergedMining: "rule.mergedMining",
  multiProducerAnchors: "rule.multiProducerAnchors",
  devFeeAccrual: "rule.devFeeAccrual",
  coinbaseSeedByBlockHash: "rule.coinbaseSeedByBlockHash",
  commitmentBan: "rule.commitmentBan",
  boundMergeMining: "rule.boundMergeMining",
  securityFork: "rule.securityFork",
  devFeeEnd: "rule.devFeeEnd",
} as const satisfies Readonly<Record<string, PlainKey>>;

/** What people call a change; its name in the profile where the pages do not know it. */
export function ruleName(name: string, { t }: Pick<PageTexts, "t">): string {
  const known: Readonly<Record<string, PlainKey>> = KEYS;
  const key = Object.hasOwn(known, name) ? known[name] : undefined;
  return key === undefined ? name : t(key);
}
