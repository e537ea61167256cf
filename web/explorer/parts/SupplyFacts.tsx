/** Components: the shielded pool after the newest block of the chain, and what blocks mint, with the countdown to the next reduction. */
import { Show } from "solid-js";
import { useFrame } from "../frame/pageFrame.ts";
import { WithDocument } from "./Panel.tsx";
import { FactList } from "./Stat.tsx";

/** The pool. */
export function PoolFacts() {
  const { texts } = useFrame();
  const { t } = texts;
  return (
    <>
      <WithDocument row="coinSupply" path="/info/coinsupply" lines={2}>
        {(supply) => (
          <>
            <p class="big number" data-testid="supply">
              {texts.coins(supply().circulatingSupply)}
            </p>
            <p class="note">{t("pool.supplyNote")}</p>
          </>
        )}
      </WithDocument>
      <WithDocument row="shielded" path="/info/shielded" lines={5}>
        {(pool) => (
          <FactList
            rows={[
              { label: t("pool.minted"), value: texts.coins(pool().turnstileIn) },
              { label: t("pool.burned"), value: texts.coins(pool().turnstileOut) },
              {
                label: t("pool.notes"),
                note: t("pool.notesNote"),
                value: texts.count(pool().noteCount),
              },
              {
                label: t("pool.nullifiers"),
                note: t("pool.nullifiersNote"),
                value: texts.count(pool().nullifierCount),
              },
            ]}
          />
        )}
      </WithDocument>
    </>
  );
}

/** The emission. At its floor there is no countdown. */
export function EmissionFacts() {
  const { texts } = useFrame();
  const { t } = texts;
  return (
    <WithDocument row="halving" path="/info/halving" lines={5}>
      {(halving) => (
        <>
          <p class="big number">
            {t("emission.perBlock", { coins: texts.coinNumber(halving().currentAmount) })}
          </p>
          <Show
            when={!halving().atTailFloor && halving().nextHalvingTimestamp}
            fallback={<p class="note">{t("emission.floor")}</p>}
          >
            {(seconds) => (
              <>
                <p>
                  <strong class="number" data-testid="countdown">
                    {t("count.blocksLeft", { count: halving().blocksRemaining })}
                  </strong>{" "}
                  {t("emission.next", {
                    coins: texts.coinNumber(halving().nextHalvingAmount),
                    percent: texts.percent(halving().reductionPercent / 100),
                  })}
                </p>
                <p class="note">
                  {t("emission.expected", { time: texts.dateTime(seconds() * 1_000) })}
                </p>
              </>
            )}
          </Show>
          <p class="note">{t("emission.endless")}</p>
        </>
      )}
    </WithDocument>
  );
}
