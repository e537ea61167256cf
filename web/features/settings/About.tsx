/** Component of the settings: what this build is, with the hashes of its files. */
import { createResource, For, Show } from "solid-js";
import { t } from "../../i18n/translate.ts";
import { BUILD_NODES } from "../../state/nodeChoice.ts";
import { Card } from "../../ui/Card.tsx";
import { CopyButton } from "../../ui/CopyButton.tsx";
import { Facts, type Fact } from "../../ui/Facts.tsx";
import styles from "./About.module.css";
import { readBuildHashes, type BuildHashes } from "./buildHashes.ts";

/** What this build is: the server it came from, the nodes it may talk to, and the hash of each of its files. */
export function About() {
  const [hashes] = createResource(() => readBuildHashes().catch(() => null));
  const rows = (): readonly Fact[] => [
    { label: t("about.servedBy"), value: location.origin },
    {
      label: t("about.variant"),
      value: t(BUILD_NODES.kind === "any" ? "about.variantAny" : "about.variantListed"),
    },
    {
      label: t("about.hash"),
      value: hashes()?.whole ?? t(hashes.loading ? "about.reading" : "about.none"),
      mono: true,
    },
  ];
  return (
    <Card title={t("about.title")}>
      <p class={styles.text}>{t("about.text", { origin: location.origin })}</p>
      <Facts rows={rows()} />
      <Show when={hashes()}>{(found) => <Files hashes={found()} />}</Show>
    </Card>
  );
}

function Files(props: { hashes: BuildHashes }) {
  return (
    <details class={styles.files}>
      <summary>{t("about.files", { count: props.hashes.files.length })}</summary>
      <CopyButton text={props.hashes.text} />
      <ul>
        <For each={props.hashes.files}>
          {([path, hash]) => (
            <li>
              <span>{path}</span>
              <span class="mono" data-testid="file-hash">
                {hash}
              </span>
            </li>
          )}
        </For>
      </ul>
    </details>
  );
}
