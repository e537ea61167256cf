/** Component: a page about one thing that has a hash: its name, its hash to copy, and why it may be where the node does not know it. */
import { Show, type Accessor, type JSX } from "solid-js";
import type { RestDocument } from "../live/restDocument.ts";
import { useFrame } from "../frame/pageFrame.ts";
import { CopyText } from "./CopyText.tsx";
import { WithDocument } from "./Panel.tsx";
import { UnknownHash } from "./UnknownHash.tsx";

/** The page. `path`: of the document about it, below the REST interface. `lines`: its height while there is nothing. */
export function HashPage<R extends "block" | "transaction">(props: {
  kind: R;
  id: string;
  path: string;
  lines: number;
  children: (document: Accessor<RestDocument<R>>) => JSX.Element;
}) {
  const { store, texts } = useFrame();
  const isUnknown = () => store.read(props.kind, props.path).status === 404;
  return (
    <Show when={!isUnknown()} fallback={<UnknownHash kind={props.kind} hash={props.id} />}>
      <div class="page-head">
        <h1>{texts.t(props.kind === "block" ? "block.title" : "transaction.title")}</h1>
        <p class="identity">
          <span class="mono">{props.id}</span> <CopyText text={props.id} />
        </p>
      </div>
      <WithDocument row={props.kind} path={props.path} lines={props.lines}>
        {(document) => props.children(document)}
      </WithDocument>
    </Show>
  );
}
