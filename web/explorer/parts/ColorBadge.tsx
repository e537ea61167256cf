/** Component: what the selected chain says of a block, in a word. */
import { useFrame } from "../frame/pageFrame.ts";
import { Badge } from "./Badge.tsx";

/** The badge of a block. */
export function ColorBadge(props: { color: "blue" | "red" | "none"; isChainBlock: boolean }) {
  const { texts } = useFrame();
  const tone = () => {
    if (props.isChainBlock) return "good";
    return props.color === "none" ? "wait" : props.color;
  };
  const text = () => {
    if (props.isChainBlock) return texts.t("color.chain");
    if (props.color === "none") return texts.t("color.none");
    return texts.t(props.color === "blue" ? "color.blue" : "color.red");
  };
  return <Badge tone={tone()} text={text()} />;
}
