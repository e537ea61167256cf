/** Component: a state in a word. Its shape says what its colour says. */

/** What a badge stands for. */
export type BadgeTone = "good" | "blue" | "red" | "wait" | "plain";

const MARKS: { readonly [T in BadgeTone]: string } = {
  good: "✓",
  blue: "●",
  red: "◆",
  wait: "…",
  plain: "○",
};

/** The badge. */
export function Badge(props: { tone: BadgeTone; text: string }) {
  return (
    <span class="badge" data-tone={props.tone}>
      <span aria-hidden="true">{MARKS[props.tone]}</span> {props.text}
    </span>
  );
}
