/** The live parts of a block graph as Solid signals: session, canvas, words for the eye and for the ear. */
import {
  createEffect,
  createMemo,
  createSignal,
  on,
  onCleanup,
  onMount,
  type Accessor,
} from "solid-js";
import type { PlacedBlock } from "@svc/shared/explorer/dag/dagBlock.ts";
import { minuteOf } from "@svc/shared/explorer/dag/replayTape.ts";
import { writeReplay, type ReplayMoment } from "@svc/shared/explorer/dag/replayAddress.ts";
import type { PageLocale } from "@svc/shared/explorer/pageLocale.ts";
import { PAGE_LIMITS } from "../../pageLimits.ts";
import { DagCanvas } from "./dagCanvas.ts";
import type { DagFeed } from "./dagFeed.ts";
import { DagSession, FIRST_STATUS, type DagStatus } from "./dagSession.ts";
import { DAG_TEXTS } from "./dagTexts.ts";
import { describeBlock, describeGraph } from "./describeDag.ts";

/** What a graph is made from. */
export type DagOptions = {
  readonly feed: DagFeed;
  readonly locale: PageLocale;
  /** The moment that is played; null follows the chain. */
  readonly moment: ReplayMoment | null;
  /** The graph plays another minute from now on; null: the present. */
  readonly moved?: (minute: number | null) => void;
  readonly blockHref: (hash: string) => string;
  /** Address of this page with a query; the query may be empty. */
  readonly pageHref: (query: string) => string;
};

/** A graph. */
export type Dag = {
  readonly session: DagSession;
  readonly status: Accessor<DagStatus>;
  readonly focused: Accessor<PlacedBlock | null>;
  readonly isFollowing: Accessor<boolean>;
  /** What a screen reader says next. */
  readonly said: Accessor<string>;
  readonly canvas: () => DagCanvas | null;
  /** Takes the element that is drawn on. */
  readonly drawOn: (element: HTMLCanvasElement) => void;
  /** Handles a key of the stage. Whether it meant something. */
  readonly press: (key: string) => boolean;
  /** Writes the moment into the address bar and returns the whole address. */
  readonly address: () => string;
};

/** Makes it for the component that is being set up, and ends it with that. */
export function createDag(options: DagOptions): Dag {
  const texts = DAG_TEXTS[options.locale];
  const numbers = new Intl.NumberFormat(options.locale);
  const [focused, setFocused] = createSignal<PlacedBlock | null>(null);
  const [isFollowing, setFollowing] = createSignal(true);
  const [said, setSaid] = createSignal("");
  let canvas: DagCanvas | null = null;
  let element: HTMLCanvasElement | null = null;

  const teller = createTeller();
  const session = new DagSession({
    feed: options.feed,
    changed: () => {
      canvas?.layoutChanged();
      teller.tell(session.status);
    },
  });
  tellMoves(teller.status, options);
  const announce = announcer(() => setSaid(describeGraph(session, texts, numbers)));

  onMount(() => {
    if (element === null) return;
    canvas = new DagCanvas({
      canvas: element,
      session,
      scoreText: (score) => numbers.format(score),
      focused: setFocused,
      opened: (hash) => location.assign(options.blockHref(hash)),
      drawn: () => {
        setFollowing(canvas?.isFollowing ?? true);
        teller.tell(session.status);
        announce();
      },
    });
    session.start(wantedMoment(options));
  });
  onCleanup(() => {
    for (const part of [session, canvas, teller]) part?.stop();
  });

  return {
    session,
    status: teller.status,
    focused,
    isFollowing,
    said,
    canvas: () => canvas,
    drawOn: (drawn) => {
      element = drawn;
    },
    press: (key) => {
      if (key === " ") togglePlaying(session);
      else if (canvas?.press(key) !== true) return false;
      const placed = focused();
      if (placed !== null) setSaid(describeBlock(placed, session.layout, { texts, numbers }));
      return true;
    },
    address: () => showAddress(session, options),
  };
}

/** Tells which minute is played from now on, when it is another one. */
function tellMoves(status: Accessor<DagStatus>, { moved }: DagOptions): void {
  const minute = createMemo(() => {
    const { mode, atMs } = status();
    return mode === "live" ? null : minuteOf(atMs);
  });
  createEffect(on(minute, (next) => moved?.(next), { defer: true }));
}

/** The moment of the address; all of its minute, standing, for who wants no motion. */
function wantedMoment({ moment }: DagOptions): ReplayMoment | null {
  const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
  return moment !== null && isStill ? { ...moment, speed: 0 } : moment;
}

function showAddress({ status }: DagSession, { pageHref }: DagOptions): string {
  const { mode, atMs, speed } = status;
  const query = mode === "replay" ? writeReplay({ atMs, speed }) : "";
  const { href } = new URL(pageHref(query), location.href);
  history.replaceState(history.state, "", href);
  return href;
}

/** Plays what stands, and holds what plays. */
export function togglePlaying(session: DagSession): void {
  if (session.status.isPlaying) session.pause();
  else session.play();
}

/** The status as a signal that changes at most a few times a second; what a person did is told at once. */
function createTeller() {
  const [status, setStatus] = createSignal(FIRST_STATUS);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let newest = FIRST_STATUS;
  const now = (): void => {
    clearTimeout(timer);
    timer = undefined;
    setStatus(newest);
  };
  return {
    status,
    tell(next: DagStatus): void {
      newest = next;
      const told = status();
      const isUrgent =
        told.mode !== next.mode ||
        told.isPlaying !== next.isPlaying ||
        told.speed !== next.speed ||
        // The words that there are none would stand over the first blocks.
        (told.seen === 0) !== (next.seen === 0);
      if (isUrgent) now();
      else timer ??= setTimeout(now, PAGE_LIMITS.graphStatusMs);
    },
    stop: () => clearTimeout(timer),
  };
}

/** Calls at most once in a while, however often it is asked to. */
function announcer(say: () => void): () => void {
  let lastMs = Number.NEGATIVE_INFINITY;
  return () => {
    const nowMs = performance.now();
    if (nowMs - lastMs < PAGE_LIMITS.graphAnnounceMs) return;
    lastMs = nowMs;
    say();
  };
}
