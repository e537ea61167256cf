/** Components: a number with its name, and a list of facts. */
import { For, Show, type JSX } from "solid-js";

/** A number with its name, and what it means below it. */
export function Stat(props: { label: string; value: JSX.Element; note?: string | undefined }) {
  return (
    <div class="stat">
      <dt>{props.label}</dt>
      <dd class="number">
        {props.value}
        <Show when={props.note}>
          <span class="stat-note">{props.note}</span>
        </Show>
      </dd>
    </div>
  );
}

/** One line of a list of facts. */
export type Fact = {
  readonly label: string;
  readonly value: JSX.Element;
  /** Hashes and addresses. */
  readonly isMono?: boolean;
  /** Too long to stand beside its label on a narrow screen. */
  readonly isLong?: boolean;
  /** What a reader may not know about it. */
  readonly note?: string;
};

/** Labels and values, line by line. */
export function FactList(props: { rows: readonly Fact[] }) {
  return (
    <dl class="facts">
      <For each={props.rows}>
        {(row) => (
          <div classList={{ long: row.isLong === true }}>
            <dt>
              {row.label}
              <Show when={row.note}>
                <span class="fact-note">{row.note}</span>
              </Show>
            </dt>
            <dd classList={{ mono: row.isMono === true }}>{row.value}</dd>
          </div>
        )}
      </For>
    </dl>
  );
}
