/** Component: a message as a stream of QR codes. */
import { createSignal, onCleanup } from "solid-js";
import { PAGE_LIMITS } from "../pageLimits.ts";
import { QrCode } from "./QrCode.tsx";

/** Shows one frame after the other, for ever; `frame` gives the text of each, from 1 on. */
export function AnimatedQr(props: {
  frame: (sequence: number) => string;
  /** Frames of one round; a single one stands still. */
  count: number;
  label: string;
}) {
  const [sequence, setSequence] = createSignal(1);
  const timer = setInterval(() => {
    if (props.count > 1) setSequence((shown) => shown + 1);
  }, PAGE_LIMITS.qrFrameMs);
  onCleanup(() => clearInterval(timer));
  return <QrCode text={props.frame(sequence()).toUpperCase()} label={props.label} dense />;
}
