/** Entry point of the offline signer page. */
import "../threads/disposePolyfill.ts";
import "../ui/styles/tokens.css";
import "../ui/styles/base.css";
import { createResource, ErrorBoundary, Show } from "solid-js";
import { render } from "solid-js/web";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { sentenceOf } from "../i18n/sentence.ts";
import { t } from "../i18n/translate.ts";
import { Message } from "../ui/Message.tsx";
import { SignerSession } from "./signerSession.ts";
import { builtInProfiles, openCore } from "./openCore.ts";
import { SignerApp } from "./SignerApp.tsx";

/** The page, once its core is there. */
function Signer() {
  const [core] = createResource(openCore);
  return (
    <ErrorBoundary fallback={(error: unknown) => <Broken error={error} />}>
      <Show when={core()} fallback={<Message icon="shield" text={t("signer.loading")} />}>
        {(ready) => <SignerApp session={new SignerSession(ready(), builtInProfiles(ready()))} />}
      </Show>
    </ErrorBoundary>
  );
}

function Broken(props: { error: unknown }) {
  const text = () => sentenceOf(SvcError.from(props.error).toJSON());
  return <Message icon="alert" title={t("signer.brokenTitle")} text={text()} />;
}

const root = document.getElementById("root");
if (root === null) throw new TypeError("the page has a root element");
render(() => <Signer />, root);
