/** Page: what a visitor can check here with the core in the browser: a receipt, a disclosure, an address, a signed message. */
import { PartPlace } from "../parts/PartPlace.tsx";
import { useFrame } from "../frame/pageFrame.ts";

/** The page. What is typed here stays in the browser, but for what the notes say. */
export function Check() {
  const { t } = useFrame().texts;
  return (
    <>
      <div class="page-head">
        <h1>{t("check.title")}</h1>
        <p class="lead">{t("check.lead")}</p>
      </div>
      <p class="note">{t("check.local")}</p>
      <noscript>
        <p class="note">{t("check.noScript")}</p>
      </noscript>
      <PartPlace part="check-receipt" options={{}} title={t("check.receipt")}>
        <p class="note">{t("check.receiptNote")}</p>
      </PartPlace>
      <PartPlace part="check-disclosure" options={{}} title={t("check.disclosure")}>
        <p class="note">{t("check.disclosureNote")}</p>
      </PartPlace>
      <PartPlace part="check-address" options={{}} title={t("check.address")}>
        <p class="note">{t("check.addressNote")}</p>
      </PartPlace>
      <PartPlace part="check-message" options={{}} title={t("check.message")}>
        <p class="note">{t("check.messageNote")}</p>
      </PartPlace>
    </>
  );
}
