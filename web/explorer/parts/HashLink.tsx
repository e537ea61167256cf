/** Components: a block or a transaction by its hash, as a link to its page; several blocks as a list of links. */
import { For, Show } from "solid-js";
import type { ExplorerPage } from "@svc/shared/explorer/explorerPaths.ts";
import { shortId } from "../view/pageTexts.ts";
import { hrefOf, useFrame } from "../frame/pageFrame.ts";

/** Hashes by which headers say that there is no such block: the pruning point of the first ones, and what lies below genesis. */
const NOBODY = /^(?:00|fe){32}$/;

/** The link, or the bare hash where it names nothing. Its text is shortened unless it `isWhole`; assistive technology is given what stands there. */
export function HashLink(props: {
  kind: "block" | "transaction";
  hash: string;
  isWhole?: boolean;
  ends?: number;
}) {
  const frame = useFrame();
  const page = (): ExplorerPage => ({ kind: props.kind, id: props.hash });
  const text = () => (props.isWhole === true ? props.hash : shortId(props.hash, props.ends ?? 6));
  return (
    <Show when={!NOBODY.test(props.hash)} fallback={<span class="mono">{text()}</span>}>
      <a class="mono hash" href={hrefOf(frame, page())} title={props.hash}>
        {text()}
      </a>
    </Show>
  );
}

/** Blocks by their hashes; `whenNone` in words where there are none. */
export function HashList(props: { hashes: readonly string[]; whenNone: string }) {
  return (
    <Show when={props.hashes.length > 0} fallback={props.whenNone}>
      <ul class="hashes">
        <For each={props.hashes}>
          {(hash) => (
            <li>
              <HashLink kind="block" hash={hash} />
            </li>
          )}
        </For>
      </ul>
    </Show>
  );
}
