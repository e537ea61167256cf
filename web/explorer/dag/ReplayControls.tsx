/** Component: the controls above the block graph: live or replay, playing, speed, the moment, the view, and sharing. */
import { For, Show } from "solid-js";
import { REPLAY_SPEEDS } from "@svc/shared/explorer/dag/replayAddress.ts";
import { MINUTE_MS, minuteOf } from "@svc/shared/explorer/dag/replayTape.ts";
import type { PageLocale } from "@svc/shared/explorer/pageLocale.ts";
import { createCopy } from "../../clipboard/createCopy.ts";
import { PAGE_LIMITS } from "../../pageLimits.ts";
import { togglePlaying, type Dag } from "./createDag.ts";
import type { DagTexts } from "./dagTexts.ts";
import { ZOOM_STEP } from "./dagView.ts";

const SECOND_MS = 1_000;
const LAST_SECOND = 59;

type ControlProps = {
  dag: Dag;
  texts: DagTexts;
  locale: PageLocale;
  /** Whether the graph began as a replay. One that began live never becomes one. */
  isReplay: boolean;
};

/** The controls. Those of a replay keep their place when it has become live, so nothing moves. */
export function ReplayControls(props: ControlProps) {
  const isReplay = () => props.dag.status().mode === "replay";
  return (
    <div class="dag-controls">
      <p class="dag-mode" data-mode={props.dag.status().mode}>
        {isReplay() ? props.texts.replay : props.texts.live}
      </p>
      <Show when={props.isReplay}>
        <Moment {...props} />
        <div class="dag-tape" data-shown={isReplay()} inert={!isReplay()}>
          <Tape {...props} />
        </div>
      </Show>
      <ViewButtons {...props} />
    </div>
  );
}

/** The replay's clock, in UTC so that a shared address shows everybody the same. */
function Moment(props: ControlProps) {
  const form = () =>
    new Intl.DateTimeFormat(props.locale, {
      dateStyle: "medium",
      timeStyle: "medium",
      timeZone: "UTC",
    });
  return (
    <p class="dag-moment" data-testid="dag-moment">
      <Show when={props.dag.status().mode === "replay"}>
        {form().format(props.dag.status().atMs)} UTC
      </Show>
    </p>
  );
}

function Tape(props: ControlProps) {
  const { session } = props.dag;
  const second = () => {
    const { atMs } = props.dag.status();
    return Math.floor((atMs - minuteOf(atMs) * MINUTE_MS) / SECOND_MS);
  };
  const scrub = (value: number): void => {
    session.pause();
    session.seek(minuteOf(session.status.atMs) * MINUTE_MS + value * SECOND_MS);
    props.dag.address();
  };
  return (
    <>
      <button
        type="button"
        class="dag-button"
        onClick={() => {
          togglePlaying(session);
          if (!session.status.isPlaying) props.dag.address();
        }}
      >
        {props.dag.status().isPlaying ? props.texts.pause : props.texts.play}
      </button>
      <button
        type="button"
        class="dag-button"
        onClick={() => {
          session.step();
          props.dag.address();
        }}
      >
        {props.texts.step}
      </button>
      <label class="dag-scrub">
        <span class="visually-hidden">{props.texts.position}</span>
        <input
          type="range"
          min="0"
          max={LAST_SECOND}
          step="1"
          value={second()}
          aria-valuetext={props.texts.second(String(second()))}
          onInput={(event) => scrub(event.currentTarget.valueAsNumber)}
        />
      </label>
      <label class="dag-speed">
        <span>{props.texts.speed}</span>
        <select onChange={(event) => session.setSpeed(Number(event.currentTarget.value))}>
          <For each={speedsWith(props.dag.status().speed)}>
            {(speed) => (
              <option value={speed} selected={speed === props.dag.status().speed}>
                {props.texts.times(new Intl.NumberFormat(props.locale).format(speed))}
              </option>
            )}
          </For>
        </select>
      </label>
      <button
        type="button"
        class="dag-button"
        onClick={() => {
          session.goLive();
          props.dag.address();
        }}
      >
        {props.texts.goLive}
      </button>
    </>
  );
}

function ViewButtons(props: ControlProps) {
  const { state, copy } = createCopy(() => props.dag.address(), PAGE_LIMITS.copiedMs);
  const said = () => {
    if (state() === "idle") return "";
    return state() === "done" ? props.texts.copied : props.texts.copyRefused;
  };
  return (
    <div class="dag-view">
      <button
        type="button"
        class="dag-button"
        aria-pressed={props.dag.isFollowing()}
        onClick={() => props.dag.canvas()?.follow()}
      >
        {props.texts.follow}
      </button>
      <button
        type="button"
        class="dag-button"
        aria-label={props.texts.closer}
        onClick={() => props.dag.canvas()?.zoom(ZOOM_STEP)}
      >
        +
      </button>
      <button
        type="button"
        class="dag-button"
        aria-label={props.texts.wider}
        onClick={() => props.dag.canvas()?.zoom(1 / ZOOM_STEP)}
      >
        −
      </button>
      <button type="button" class="dag-button" onClick={copy}>
        {props.texts.share}
      </button>
      <span class="dag-shared" role="status">
        {said()}
      </span>
    </div>
  );
}

/** The offered speeds, with the one of the address among them. */
function speedsWith(speed: number): readonly number[] {
  return [...new Set([...REPLAY_SPEEDS, speed])].toSorted((a, b) => a - b);
}
