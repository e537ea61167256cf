/** Pages: a small view of the chain that other pages show in a frame, and the page that offers it. */
import { Show } from "solid-js";
import { explorerPathOf } from "@svc/shared/explorer/explorerPaths.ts";
import { CopyText } from "../parts/CopyText.tsx";
import { Panel, Readable } from "../parts/Panel.tsx";
import { hrefOf, useFrame } from "../frame/pageFrame.ts";
import { Stat } from "../parts/Stat.tsx";

const PULSE = "/info/pulse?window=15m";

/** What stands in the frame. It loads nothing from elsewhere and tells its server nothing of the page around it. */
export function WidgetFrame() {
  const frame = useFrame();
  const { store, texts } = frame;
  const { t } = texts;
  const dag = () => store.read("blockDag", "/info/blockdag");
  const isAway = () => dag().isStale || dag().body === null;
  const pulse = () => store.read("pulse", PULSE).body;
  const halving = () => store.read("halving", "/info/halving").body;
  return (
    <main class="widget" id="main">
      <h1>
        <a href={hrefOf(frame, { kind: "overview" })} target="_blank" rel="noopener">
          {dag().body?.networkName ?? t("frame.title")}
        </a>
      </h1>
      <Readable of={() => [dag().body, pulse(), halving()]}>
        <dl>
          <Stat
            label={t("numbers.daaScore")}
            value={<Known value={dag().body}>{(body) => texts.count(body.virtualDaaScore)}</Known>}
          />
          <Stat
            label={t("numbers.rate")}
            value={<Known value={pulse()}>{(body) => texts.decimal(body.bps15m, 2)}</Known>}
          />
          <Stat
            label={t("numbers.hashrate")}
            value={<Known value={pulse()}>{(body) => texts.hashrate(body.hashrate15m)}</Known>}
          />
          <Stat
            label={t("widget.reward")}
            value={
              <Known value={halving()}>{(body) => texts.coinNumber(body.currentAmount)}</Known>
            }
          />
        </dl>
      </Readable>
      <p class="note" role="status">
        {t(isAway() ? "frame.away" : "widget.estimates")}
      </p>
    </main>
  );
}

function Known<Body>(props: { value: Body | null; children: (body: Body) => string }) {
  return <>{props.value === null ? "—" : props.children(props.value)}</>;
}

/** The page that shows the widget and what to write to have it. */
export function Widget() {
  const frame = useFrame();
  const { t } = frame.texts;
  const path = `${frame.base}${explorerPathOf({ kind: "widget-frame" })}`;
  const address = () => `${frame.origin ?? "https://explorer.example"}${path}`;
  const snippet = () =>
    `<iframe src="${address()}" title="${t("widget.frameTitle")}" width="320" height="260" loading="lazy" sandbox="allow-scripts allow-same-origin allow-popups"></iframe>`;
  return (
    <>
      <div class="page-head">
        <h1>{t("widget.title")}</h1>
        <p class="lead">{t("widget.lead")}</p>
      </div>
      <div class="columns">
        <Panel title={t("widget.preview")}>
          <iframe
            class="preview"
            src={path}
            title={t("widget.frameTitle")}
            width="320"
            height="260"
            loading="lazy"
          />
        </Panel>
        <Panel title={t("widget.snippet")} aside={<CopyText text={snippet()} />}>
          <pre class="code" tabindex="0">
            <code data-testid="snippet">{snippet()}</code>
          </pre>
          <Show when={frame.origin === null}>
            <p class="note">{t("widget.address")}</p>
          </Show>
          <p class="note">{t("widget.privacy")}</p>
        </Panel>
      </div>
    </>
  );
}
