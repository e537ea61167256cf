/** What a client writes and reads of a row, and what a handler writes. */
import type * as v from "valibot";
import type { NumberText } from "./numberText.ts";
import type { RouteContract } from "./routeContract.ts";

/** The schemas of a row. */
type Schemas = Pick<RouteContract, "params" | "query" | "body" | "answer">;

/** The parts of a request as a client writes them. */
export type InputOf<R extends Schemas> = {
  readonly params: v.InferInput<R["params"]>;
  readonly query: v.InferInput<R["query"]>;
  readonly body: v.InferInput<R["body"]>;
};

/** The answer as a client reads it. */
export type ResultOf<R extends Schemas> = v.InferOutput<R["answer"]>;

type Primitive = string | number | bigint | boolean | null | undefined;

/** What is only read, to its last list. */
type Frozen<T> = unknown extends T
  ? T
  : T extends Primitive | NumberText
    ? T
    : T extends readonly (infer Item)[]
      ? readonly Frozen<Item>[]
      : { readonly [K in keyof T]: Frozen<T[K]> };

type Written<In, Out> = {
  readonly [K in keyof Out]: K extends keyof In
    ? Frozen<undefined extends Out[K] ? In[K] : Exclude<In[K], undefined>>
    : never;
};

/** The answer as a handler writes it: what a client may find absent is always there. Of bytes, the bytes. */
export type AnswerOf<R extends Schemas> =
  v.InferOutput<R["answer"]> extends Uint8Array
    ? Uint8Array
    : Written<v.InferInput<R["answer"]>, v.InferOutput<R["answer"]>>;
