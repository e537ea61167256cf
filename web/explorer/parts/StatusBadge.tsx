/** Component: how far a transaction has come, in a word. Carried by a block is never shown as paid. */
import { useFrame } from "../frame/pageFrame.ts";
import { Badge, type BadgeTone } from "./Badge.tsx";

/** How far a transaction has come. */
export type TransactionStatus = "waiting" | "included" | "applied" | "dropped";

const TONES: { readonly [S in TransactionStatus]: BadgeTone } = {
  waiting: "wait",
  included: "plain",
  applied: "good",
  dropped: "red",
};

/** The badge of a transaction. */
export function StatusBadge(props: { status: TransactionStatus }) {
  const { texts } = useFrame();
  return <Badge tone={TONES[props.status]} text={texts.t(`status.${props.status}`)} />;
}
