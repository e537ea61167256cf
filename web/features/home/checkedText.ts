/** Text of the home screen: how far the numbers were checked, and by how much work. */
import type { ShownChain } from "@svc/shared/wallet/view/shownChain.ts";
import { workTimeText } from "../../i18n/format.ts";
import { t } from "../../i18n/translate.ts";

/** The most work that was shown, and the block that it lies above. */
export function checkedText({ far, near }: Pick<ShownChain, "far" | "near">): string {
  const shown = far ?? near;
  if (shown === null) return t("shown.claimed");
  const { backing, chainIndex: block } = shown;
  if (backing.kind === "work") return t("shown.work", { time: workTimeText(backing.ms), block });
  return t(backing.kind === "unmeasured" ? "shown.unmeasured" : "shown.noWork", { block });
}
