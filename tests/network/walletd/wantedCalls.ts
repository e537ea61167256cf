/** Calls that somebody wants to be done once, in a mixture that a seed draws: payments of each kind, batches and a merge. */
import { mulberry32 } from "@svc/node-server/platform/testkit/mulberry32.ts";
import { formatCoins } from "@svc/shared/base/money.ts";

/** Who is paid, how much, and by which memo the receipt is known. */
export type WantedPayee = {
  readonly to: string;
  readonly amount: bigint;
  readonly memo: string;
};

/** A call that is wanted once. */
export type WantedCall = {
  readonly key: string;
  readonly kind: "send" | "sendMany" | "payout" | "consolidate";
  /** Whether it is asked for as a job; a payout always is one. */
  readonly isJob: boolean;
  /** One for a send, none for a merge. */
  readonly payees: readonly WantedPayee[];
  /** Of a payout's file. */
  readonly format: "csv" | "json";
};

/** What a mixture is made of. */
export type MixtureWish = {
  /** Of the draw: one seed gives one mixture. */
  readonly seed: number;
  /** Calls that pay; a merge follows them. */
  readonly payments: number;
  /** Payees of the largest batch, which the first batch is; null for batches of a few lines alone. */
  readonly largeBatch: number | null;
  /** Addresses, which are paid in turn. */
  readonly addresses: readonly string[];
};

type Form = Pick<WantedCall, "kind" | "isJob" | "format">;

const COIN = 100_000_000n;
/** Payees of a `send_many` and of a small batch. */
const FEW = 3;
/** Each is in a mixture of as many calls, the first ones in a shorter one too. */
const FORMS: readonly Form[] = [
  { kind: "payout", isJob: true, format: "csv" },
  { kind: "send", isJob: true, format: "csv" },
  { kind: "sendMany", isJob: false, format: "csv" },
  { kind: "send", isJob: false, format: "csv" },
  { kind: "payout", isJob: true, format: "json" },
  { kind: "sendMany", isJob: true, format: "csv" },
];

/** A call that pays one payee. */
export function wantedSend(place: number, to: string, { isJob = false } = {}): WantedCall {
  const payees = [payeeOf(place, to)];
  return { key: `order-${place}`, kind: "send", isJob, payees, format: "csv" };
}

/** Draws a mixture. The merge comes last, since it takes all notes that are left. */
export function mixedCalls(wish: MixtureWish): readonly WantedCall[] {
  const bits = mulberry32(wish.seed);
  const below = (limit: number): number => bits() % limit;
  const drawn = Array.from(
    { length: wish.payments },
    (_, place) => FORMS[place] ?? FORMS[below(FORMS.length)],
  );
  const forms = shuffled(
    drawn.filter((form) => form !== undefined),
    below,
  );
  const large = forms.findIndex(({ kind }) => kind === "payout");
  let line = 0;
  const calls = forms.map((form, place): WantedCall => {
    const usual = form.kind === "send" ? 1 : FEW;
    const count = place === large ? (wish.largeBatch ?? usual) : usual;
    const payees = Array.from({ length: count }, () => {
      line += 1;
      return payeeOf(line, wish.addresses[line % wish.addresses.length] ?? "");
    });
    return { ...form, key: `call-${place}`, payees };
  });
  const merge = { kind: "consolidate", isJob: below(2) === 0, format: "csv" } as const;
  return [...calls, { ...merge, key: "merge", payees: [] }];
}

/** The file of a payout batch. */
export function payoutText({ format, key, payees }: WantedCall): string {
  const rows = payees.map(({ to, amount, memo }, place) => {
    return { to, amount: formatCoins(amount), memo, reference: `${key}/${place}` };
  });
  if (format === "json") return JSON.stringify(rows);
  const lines = rows.map((row) => [row.to, row.amount, row.memo, row.reference].join(","));
  return ["to,amount,memo,reference", ...lines].join("\n");
}

/** No two amounts are equal, so an amount names its line. */
function payeeOf(line: number, to: string): WantedPayee {
  return { to, amount: COIN / 2n + BigInt(line), memo: `order ${line}` };
}

function shuffled<T>(things: readonly T[], below: (limit: number) => number): readonly T[] {
  const left = [...things];
  for (let last = left.length - 1; last > 0; last -= 1) {
    const [moved] = left.splice(below(last + 1), 1);
    if (moved !== undefined) left.push(moved);
  }
  return left;
}
