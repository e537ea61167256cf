/** Page: the calls of the public REST interface, from its OpenAPI document. */
import { For, Show } from "solid-js";
import { NoHydration } from "solid-js/web";
import { Panel } from "../parts/Panel.tsx";
import { useFrame } from "../frame/pageFrame.ts";
import { callsOf } from "../view/openApiCalls.ts";

const DOCUMENT = "/openapi.json";

/** The page. It is made on the server alone: a document of this size is not sent twice. */
export function AboutData() {
  const frame = useFrame();
  const { t } = frame.texts;
  return (
    <>
      <div class="page-head">
        <h1>{t("data.title")}</h1>
        <p class="lead">{t("data.lead")}</p>
      </div>
      <Panel title={t("data.rules")}>
        <ul class="bullets">
          <li>{t("data.ruleCache")}</li>
          <li>{t("data.ruleAmounts")}</li>
          <li>{t("data.ruleApplied")}</li>
          <li>{t("data.rulePages")}</li>
        </ul>
        <p>
          <a href={`${frame.apiBase}${DOCUMENT}`}>{t("data.openApi")}</a>
        </p>
      </Panel>
      <NoHydration>
        <Calls />
      </NoHydration>
    </>
  );
}

function Calls() {
  const frame = useFrame();
  const { t } = frame.texts;
  const calls = callsOf(frame.store.readAny(DOCUMENT).body);
  return (
    <Panel title={t("data.calls")}>
      <Show when={calls.length > 0} fallback={<p class="note">{t("data.none")}</p>}>
        <For each={calls}>
          {(call) => (
            <section class="call" id={call.id}>
              <h3 class="mono">
                <span class="method">{call.method}</span> {frame.apiBase}
                {call.path}
              </h3>
              <p lang="en">
                {/* Names stand between backquotes. */}
                <For each={call.about.split("`")}>
                  {(part, at) => (at() % 2 === 1 ? <code class="mono">{part}</code> : part)}
                </For>
              </p>
              <Show when={call.example}>
                {(example) => (
                  <details>
                    <summary>{t("data.example")}</summary>
                    <pre class="code" tabindex="0">
                      <code>{example()}</code>
                    </pre>
                  </details>
                )}
              </Show>
              <Show when={call.method === "GET" && !call.path.includes("{")}>
                <p class="note">
                  <a href={`${frame.apiBase}${call.path}`}>{t("data.try")}</a>
                </p>
              </Show>
            </section>
          )}
        </For>
      </Show>
    </Panel>
  );
}
