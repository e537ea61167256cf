/** Contacts, names and remarks of a model wallet: the worker's own books, over records in memory. */
import { callCore } from "@svc/shared/core/callCore.ts";
import { judgeSignedMessage } from "@svc/shared/signer/messages/judgeSignedMessage.ts";
import type { Labels } from "@svc/shared/wallet/labels/labelForm.ts";
import { TEST_POLICY } from "@svc/shared/wallet/testkit/chainModel.ts";
import { historyRows } from "@svc/shared/wallet/view/history.ts";
import { historyCsv } from "@svc/shared/wallet/view/historyFile.ts";
import { ContactBook } from "../../../wallet-worker/addresses/contactBook.ts";
import { KnownAddresses } from "../../../wallet-worker/addresses/knownAddresses.ts";
import { LabelBook } from "../../../wallet-worker/addresses/labelBook.ts";
import { OwnAddresses } from "../../../wallet-worker/addresses/ownAddresses.ts";
import { OwnLabels } from "../../../wallet-worker/addresses/ownLabels.ts";
import { historyFound, historyPage } from "../../../wallet-worker/walletView.ts";
import type { WalletApi } from "../../../wallet-api/walletApi.ts";
import type { ModelWallet } from "../modelWallet.ts";

/** ms. When proofs of contacts are checked: 14 November 2023, in every time zone but a few. */
const CHECKED_MS = 1_700_000_000_000n;

/** The wallet that the books belong to. */
export type AnnotationStage = {
  readonly model: ModelWallet;
  /** Profile of the network, as JSON. */
  readonly profileJson: string;
  /** Called with each change of a name or a remark. */
  readonly onChange: () => void;
};

/** The books of one wallet. */
export class ModelAnnotations {
  readonly contacts: ContactBook;
  readonly labels: OwnLabels;
  readonly #addresses: OwnAddresses;
  readonly #known: KnownAddresses;
  readonly #stage: AnnotationStage;

  constructor(stage: AnnotationStage) {
    this.#stage = stage;
    const { model, profileJson, onChange } = stage;
    const { core } = model;
    const state = () => model.state;
    const text = (index: number) => model.addressText(index);
    const names = new LabelBook(inMemory<number>(), onChange);
    this.contacts = new ContactBook({
      checkAddress: (address) => void callCore(() => core.decodeAddress(TEST_POLICY.hrp, address)),
      judge: (signed) => judgeSignedMessage(core, profileJson, signed),
      nowMs: () => CHECKED_MS,
      text: contactRecord(),
    });
    this.labels = new OwnLabels({
      payments: new LabelBook(inMemory<string>(), onChange),
      addresses: names,
      rows: () => historyRows(model.state, TEST_POLICY, []),
    });
    this.#addresses = new OwnAddresses({ state, text, labels: names });
    this.#known = new KnownAddresses({
      state,
      text,
      contacts: () => this.contacts.known.keys(),
    });
  }

  /** Answers of the wallet's worker. */
  answers(): Partial<WalletApi> {
    const { contacts, labels } = this;
    const { core } = this.#stage.model;
    return {
      contacts: () => contacts.list(),
      putContact: (contact) => contacts.put(contact),
      removeContact: (address) => contacts.remove(address),
      addresses: (limit) => this.#addresses.list(limit),
      labelAddress: (index, text) => this.#addresses.label(index, text),
      labelPayment: (rowId, text) => labels.label(rowId, text),
      lookAlike: async (address) => this.#known.lookAlike(address),
      history: async (query) => {
        const fault = await labels.read();
        return { ...historyPage(labels.rows(), query), fault };
      },
      historyFile: async (query, form) => {
        if (form !== "csv") throw new TypeError(`the model writes no ${form}`);
        return historyCsv(historyFound(labels.rows(), query));
      },
      networkProfile: async () => this.#stage.profileJson,
      verifyMessage: async (signed) => judgeSignedMessage(core, this.#stage.profileJson, signed),
    };
  }
}

function contactRecord() {
  let stored: string | null = null;
  return {
    load: async () => stored,
    store: async (text: string) => {
      stored = text;
    },
  };
}

function inMemory<Key extends string | number>() {
  let stored: Labels<Key> = new Map();
  return {
    load: async () => stored,
    store: async (labels: Labels<Key>) => {
      stored = labels;
    },
  };
}
