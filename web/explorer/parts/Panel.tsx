/** Component: a panel of a page over one document, which says how old its data are, or why there are none. */
import { createEffect, ErrorBoundary, on, Show, type Accessor, type JSX } from "solid-js";
import type { RestRouteName } from "@svc/shared/protocol/rest/restRoutes.ts";
import type { RestDocument, RestFault, Seen } from "../live/restDocument.ts";
import { useFrame } from "../frame/pageFrame.ts";

/** A surface with a heading. */
export function Panel(props: {
  title: string;
  id?: string;
  aside?: JSX.Element;
  class?: string;
  children: JSX.Element;
}) {
  return (
    <section class={`panel ${props.class ?? ""}`} id={props.id}>
      <div class="panel-head">
        <h2>{props.title}</h2>
        {props.aside}
      </div>
      {props.children}
    </section>
  );
}

/** What a document makes; the reason where there is none. A note above it tells the age of data that are not of now. */
export function WithDocument<R extends RestRouteName>(props: {
  row: R;
  path: string;
  /** Height of the place while there is nothing, so that nothing moves when something comes. */
  lines?: number;
  children: (document: Accessor<RestDocument<R>>) => JSX.Element;
}) {
  const frame = useFrame();
  const seen = () => frame.store.read(props.row, props.path);
  return (
    <Readable of={() => seen().body}>
      <StaleNote seen={seen()} />
      <Show when={seen().body} fallback={<Missing seen={seen()} lines={props.lines ?? 2} />}>
        {(document) => props.children(document)}
      </Show>
    </Readable>
  );
}

/**
 * Shows what stands in it, and says so where a document that it shows has another form: a lying or broken server sends such. The next
 * document is tried anew. `of`: what is shown.
 */
export function Readable(props: { of: Accessor<unknown>; children: JSX.Element }) {
  return (
    <ErrorBoundary fallback={(_error, reset) => <Unreadable of={props.of} reset={reset} />}>
      {props.children}
    </ErrorBoundary>
  );
}

function Unreadable(props: { of: Accessor<unknown>; reset: () => void }) {
  const { texts } = useFrame();
  createEffect(on(props.of, () => props.reset(), { defer: true }));
  return <p class="note">{texts.t("data.unreadable")}</p>;
}

function StaleNote(props: { seen: Seen<unknown> }) {
  const { texts, now } = useFrame();
  return (
    <Show when={props.seen.isStale && props.seen.body !== null}>
      <p class="note stale" data-testid="stale">
        {texts.t("data.stale", {
          age: texts.age(props.seen.asOfMs, now()),
          time: texts.timeOfDay(props.seen.asOfMs),
        })}
      </p>
    </Show>
  );
}

function Missing(props: { seen: Seen<unknown>; lines: number }) {
  const { texts } = useFrame();
  return (
    <p class="note" data-lines={props.lines}>
      {missingText(props.seen.fault, texts.t("data.none"), texts.t("data.noIndex"))}
    </p>
  );
}

function missingText(fault: RestFault | null, none: string, noIndex: string): string {
  const reason = fault?.["reason"];
  return typeof reason === "string" && reason.includes("index") ? noIndex : none;
}
