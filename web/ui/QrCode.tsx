/** Component: a QR code. */
import encodeQr from "qr";
import { createMemo } from "solid-js";
import styles from "./QrCode.module.css";

/**
 * A text as a QR code, error correction level M; of level L and larger when it is `dense`, for long texts of which another follows.
 * The same text should stand beside it.
 */
export function QrCode(props: { text: string; label: string; dense?: boolean }) {
  const ecc = () => (props.dense === true ? "low" : "medium");
  const modules = createMemo(() => encodeQr(props.text, "raw", { ecc: ecc(), border: 1 }));
  const path = createMemo(() =>
    modules()
      .flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : "")))
      .join(""),
  );
  return (
    <svg
      class={styles.code}
      data-dense={props.dense === true}
      viewBox={`0 0 ${modules().length} ${modules().length}`}
      role="img"
      aria-label={props.label}
      shape-rendering="crispEdges"
    >
      <path fill="currentColor" d={path()} />
    </svg>
  );
}
