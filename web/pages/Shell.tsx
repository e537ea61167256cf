/** Application shell of the open wallet: navigation, sync status and the routed screen. */
import { createEffect, createMemo, For, on, Show, type Accessor, type Component } from "solid-js";
import { Dynamic } from "solid-js/web";
import type { Snapshot, WalletView } from "../wallet-api/walletApi.ts";
import { History } from "../features/history/History.tsx";
import { Home } from "../features/home/Home.tsx";
import { Receive } from "../features/receive/Receive.tsx";
import { Send } from "../features/send/Send.tsx";
import { Settings } from "../features/settings/Settings.tsx";
import { t, type PlainKey } from "../i18n/translate.ts";
import { currentName } from "../features/wallets/walletName.ts";
import { ContactsContext, createContacts } from "../state/contacts/contacts.ts";
import { createDraft } from "../state/createDraft.ts";
import { createLockRequest } from "../state/createLockRequest.ts";
import { DraftContext } from "../state/draftContext.ts";
import { createIdleLock } from "../state/idleLock.ts";
import { createLeaveGuard } from "../state/leaveGuard.ts";
import type { WalletClient } from "../state/walletClient.ts";
import { useWallet } from "../state/walletContext.ts";
import { Icon, type IconName } from "../ui/Icon.tsx";
import markUrl from "../ui/mark.svg";
import { FollowNotice } from "./FollowNotice.tsx";
import { LockDialog } from "./LockDialog.tsx";
import { createRoute, hrefOf, ROUTES, type Route } from "../state/router.ts";
import styles from "./Shell.module.css";
import { SyncBadge } from "./SyncBadge.tsx";
import { UpdateNotice } from "./UpdateNotice.tsx";

/** A screen: its entry in the navigation, and its component. */
type Screen = {
  readonly label: PlainKey;
  readonly icon: IconName;
  readonly body: Component<{ wallet: WalletView; onLock: () => void }>;
};

const SCREENS: { readonly [R in Route]: Screen } = {
  home: { label: "nav.home", icon: "home", body: Home },
  receive: { label: "nav.receive", icon: "receive", body: Receive },
  send: { label: "nav.send", icon: "send", body: Send },
  history: { label: "nav.history", icon: "history", body: History },
  settings: { label: "nav.settings", icon: "settings", body: Settings },
};

/** Screens of a wallet that another tab has. */
const FOLLOWED: readonly Route[] = ["home", "history"];

/** The open wallet: navigation, status, and the screen that the address names. */
export function Shell(props: { wallet: WalletView }) {
  const client = useWallet();
  const route = createShownRoute(client);
  const draft = createDraft(client.wallet);
  const contacts = createContacts(client);
  const locking = createLockRequest(client);
  let main: HTMLElement | undefined;
  createIdleLock(client);
  createLeaveGuard(client);
  // A new screen begins at its top, and the keyboard with it.
  createEffect(
    on(
      route,
      () => {
        scrollTo(0, 0);
        main?.focus({ preventScroll: true });
      },
      { defer: true },
    ),
  );
  createEffect(() => {
    document.title = `${t(SCREENS[route()].label)} · ${t("app.title")}`;
  });

  return (
    <DraftContext.Provider value={draft}>
      <div class={styles.shell}>
        <a class="skip-link" href="#main" onClick={(event) => skipTo(event, main)}>
          {t("app.skip")}
        </a>
        <TopBar wallet={props.wallet} onLock={locking.request} />
        <Navigation route={route()} wallet={props.wallet} onLock={locking.request} />
        <main id="main" class={styles.main} ref={main} tabindex={-1}>
          <div class={styles.notices}>
            <FollowNotice />
            <UpdateNotice />
          </div>
          <ContactsContext.Provider value={contacts}>
            <Dynamic
              component={SCREENS[route()].body}
              wallet={props.wallet}
              onLock={locking.request}
            />
          </ContactsContext.Provider>
        </main>
        <Show when={locking.asking()}>
          <LockDialog onStay={locking.dismiss} onLock={locking.confirm} />
        </Show>
      </div>
    </DraftContext.Provider>
  );
}

/** The bar of narrow screens, which have no room for all links below. */
function TopBar(props: { wallet: WalletView; onLock: () => void }) {
  return (
    <header class={styles.top}>
      <Brand />
      <div class={styles.topEnd}>
        <SyncBadge wallet={props.wallet} />
        <a class={styles.topButton} href="/explorer/" aria-label={t("nav.explorer")}>
          <Icon name="blocks" />
        </a>
        <button
          type="button"
          class={styles.topButton}
          aria-label={t("nav.lock")}
          onClick={() => props.onLock()}
        >
          <Icon name="lock" />
        </button>
      </div>
    </header>
  );
}

/** A wallet that only watches has nothing to send, and one that another tab has can be looked at. */
function routesOf({ watchOnly, tabs }: Pick<Snapshot, "watchOnly" | "tabs">): readonly Route[] {
  if (tabs.following) return FOLLOWED;
  return watchOnly ? ROUTES.filter((route) => route !== "send") : ROUTES;
}

/** The screen that the address names, as far as the wallet has it. */
function createShownRoute({ snapshot }: Pick<WalletClient, "snapshot">): Accessor<Route> {
  const route = createRoute();
  return createMemo(() => (routesOf(snapshot).includes(route()) ? route() : "home"));
}

function Navigation(props: { route: Route; wallet: WalletView; onLock: () => void }) {
  const client = useWallet();
  return (
    <nav class={styles.nav} aria-label={t("app.navigation")}>
      <div class={styles.wideOnly}>
        <Brand />
      </div>
      <ul class={styles.links}>
        <For each={routesOf(client.snapshot)}>
          {(name) => (
            <li>
              <a
                class={styles.link}
                href={hrefOf(name)}
                aria-current={props.route === name ? "page" : undefined}
              >
                <Icon name={SCREENS[name].icon} />
                {t(SCREENS[name].label)}
              </a>
            </li>
          )}
        </For>
      </ul>
      <div class={styles.foot}>
        <SyncBadge wallet={props.wallet} />
        <a class={styles.link} href="/explorer/">
          <Icon name="blocks" />
          {t("nav.explorer")}
        </a>
        <button type="button" class={styles.link} onClick={() => props.onLock()}>
          <Icon name="lock" />
          {t("nav.lock")}
        </button>
      </div>
    </nav>
  );
}

function Brand() {
  const { snapshot } = useWallet();
  return (
    <a class={styles.brand} href={hrefOf("home")}>
      <img src={markUrl} alt="" width="28" height="28" />
      <span>
        {t("app.title")}
        <Show when={snapshot.network}>
          {(network) => (
            <div class={styles.network} data-testid="network-line">
              {[currentName(snapshot.wallets), network().name].filter(Boolean).join(" · ")}
              <Show when={snapshot.watchOnly}> · {t("watch.badge")}</Show>
            </div>
          )}
        </Show>
      </span>
    </a>
  );
}

/** The route lives in the hash, so the skip link moves the focus itself. */
function skipTo(event: MouseEvent, main: HTMLElement | undefined): void {
  event.preventDefault();
  main?.focus();
}
