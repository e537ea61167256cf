/** Page: how many coins there are, how a visitor can recompute it, and what no shielded chain can show. */
import { Show } from "solid-js";
import { EmissionCharts } from "../charts/EmissionCharts.tsx";
import { EmissionFacts, PoolFacts } from "../parts/SupplyFacts.tsx";
import { HashLink } from "../parts/HashLink.tsx";
import { PartPlace } from "../parts/PartPlace.tsx";
import { Panel, Readable, WithDocument } from "../parts/Panel.tsx";
import { useFrame } from "../frame/pageFrame.ts";
import { FactList } from "../parts/Stat.tsx";

/** The page. */
export function Supply() {
  const { store, texts } = useFrame();
  const { t } = texts;
  return (
    <>
      <div class="page-head">
        <h1>{t("supply.title")}</h1>
        <p class="lead">{t("supply.lead")}</p>
      </div>
      <div class="columns">
        <Panel title={t("supply.told")}>
          <PoolFacts />
          <WithDocument row="shielded" path="/info/shielded" lines={3}>
            {(pool) => (
              <FactList
                rows={[
                  {
                    label: t("supply.asOf"),
                    value: <HashLink kind="block" hash={pool().blockHash} />,
                  },
                  { label: t("block.daaScore"), value: texts.count(pool().daaScore) },
                  {
                    label: t("supply.root"),
                    value: pool().anchor ?? "—",
                    isMono: true,
                    isLong: true,
                  },
                ]}
              />
            )}
          </WithDocument>
        </Panel>
        <Panel title={t("emission.title")}>
          <EmissionFacts />
        </Panel>
      </div>
      <Readable of={() => store.read("coinSupply", "/info/coinsupply").body}>
        <Schedule />
      </Readable>
      <PartPlace part="supply-audit" options={{}} title={t("supply.audit")}>
        <p>{t("supply.auditLead")}</p>
      </PartPlace>
      <Panel title={t("supply.cannot")}>
        <ul class="bullets">
          <li>{t("supply.cannotNotes")}</li>
          <li>{t("supply.cannotProof")}</li>
          <li>{t("supply.cannotLost")}</li>
        </ul>
        <p>{t("supply.instead")}</p>
      </Panel>
    </>
  );
}

/** What blocks mint by the schedule, with the place that the chain has reached. */
function Schedule() {
  const { apiBase, store, texts } = useFrame();
  const halving = () => store.read("halving", "/info/halving").body;
  const supply = () => store.read("coinSupply", "/info/coinsupply").body;
  return (
    <Show when={halving()}>
      {(now) => (
        <Show when={supply()}>
          {(coins) => (
            <section class="columns" aria-label={texts.t("emission.title")}>
              <h2 class="visually-hidden">{texts.t("emission.title")}</h2>
              <EmissionCharts
                locale={texts.locale}
                daaScore={now().daaScore}
                currentAmount={now().currentAmount}
                circulatingSupply={coins().circulatingSupply}
                halvingHref={`${apiBase}/info/halving`}
                supplyHref={`${apiBase}/info/coinsupply`}
              />
            </section>
          )}
        </Show>
      )}
    </Show>
  );
}
