/** The facts of a network that evidence is judged by, read from its profile (specification consensus 1). */

/** The facts. */
export type Network = {
  readonly genesis: Uint8Array;
  readonly maxBlockLevel: number;
  readonly easiestBits: number;
  readonly asksForWork: boolean;
  readonly tags: { readonly form0: string; readonly form1: string };
  readonly auxBind: string;
  readonly personal: {
    readonly stateRoot: string;
    readonly stateRootV1: string;
    readonly anchorLogLeaf: string;
    readonly anchorLogNode: string;
    readonly anchorLogRoot: string;
  };
};

type Json = { readonly [key: string]: unknown };

/** Reads a profile. Throws for one that lacks a field. */
export function networkOf(profileJson: string): Network {
  const profile: Json = JSON.parse(profileJson);
  const genesis = inside(profile, "genesis");
  const tags = inside(profile, "mergeMiningTags");
  const personal = inside(profile, "personalisation");
  return {
    genesis: Uint8Array.from(Buffer.from(textOf(genesis, "hash"), "hex")),
    maxBlockLevel: numberOf(profile, "maxBlockLevel"),
    easiestBits: numberOf(profile, "maxDifficultyTargetBits"),
    asksForWork: profile["skipProofOfWork"] !== true,
    tags: { form0: textOf(tags, "form0"), form1: textOf(tags, "form1") },
    auxBind: textOf(personal, "auxBind"),
    personal: {
      stateRoot: textOf(personal, "stateRoot"),
      stateRootV1: textOf(personal, "stateRootV1"),
      anchorLogLeaf: textOf(personal, "anchorLogLeaf"),
      anchorLogNode: textOf(personal, "anchorLogNode"),
      anchorLogRoot: textOf(personal, "anchorLogRoot"),
    },
  };
}

function inside(json: Json, key: string): Json {
  const found = json[key];
  if (typeof found !== "object" || found === null) throw new Error(`the profile has no ${key}`);
  return { ...found };
}

function textOf(json: Json, key: string): string {
  const found = json[key];
  if (typeof found !== "string") throw new Error(`the profile has no ${key}`);
  return found;
}

function numberOf(json: Json, key: string): number {
  const found = json[key];
  if (typeof found !== "number") throw new Error(`the profile has no ${key}`);
  return found;
}
