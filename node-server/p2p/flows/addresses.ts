/** Address gossip: peers ask each other for addresses of further peers (specification network 1.5). */
import { setImmediate as nextTurn } from "node:timers/promises";
import { P2P_LIMITS } from "../p2pLimits.ts";
import { badField } from "@svc/shared/protocol/p2p/p2pFields.ts";
import type { Clock } from "../../platform/time/clock.ts";
import type { AddressBook } from "../addresses/addressBook.ts";
import { addressFromWire, addressToWire } from "../addresses/wireAddress.ts";
import type { Flow } from "./runFlows.ts";

/**
 * Asks for addresses at once and then every `P2P_LIMITS.p2pAddressRefreshMs`; nobody may send them unasked. Only those are
 * asked that we dialled: whoever dials us may do so in order to be asked.
 */
export function askForAddresses(book: AddressBook, clock: Clock, onAdded: () => void): Flow {
  return ({ link }) =>
    async () => {
      while (link.isOutbound) {
        const answers = link.route(["addresses"], { capacity: 1 });
        link.send({
          $case: "requestAddresses",
          value: { includeAllSubnetworks: false, subnetworkId: undefined },
        });
        const { payload } = await answers.next(P2P_LIMITS.p2pAnswerMs);
        link.unroute(["addresses"]);
        const { addressList } = payload.value;
        const [count, max] = [addressList.length, P2P_LIMITS.p2pAddressesTaken];
        if (count > max) throw badField("addressList", `${count} of at most ${max}`);
        for (let from = 0; from < count; from += P2P_LIMITS.p2pAddressesAtOnce) {
          const some = addressList.slice(from, from + P2P_LIMITS.p2pAddressesAtOnce);
          book.add(some.map(addressFromWire), link.remote.ip);
          await nextTurn();
        }
        onAdded();
        await clock.sleep(P2P_LIMITS.p2pAddressRefreshMs, link.signal);
      }
    };
}

/** Adds the address that a peer states as its own (specification network 1.2) to the address book. */
export function noteStatedAddress(book: AddressBook): Flow {
  return ({ link, introduction: { address } }) =>
    async () => {
      if (address !== undefined) book.add([addressFromWire(address)], link.remote.ip);
    };
}

/** Answers a request for addresses, with an empty list when the peer asks again too soon. */
export function answerAddresses(book: AddressBook, clock: Pick<Clock, "steadyMs">): Flow {
  return ({ link }) => {
    const requests = link.route(["requestAddresses"]);
    return async () => {
      let nextMs = 0n;
      for (;;) {
        await requests.next(null);
        const nowMs = clock.steadyMs();
        const count = nowMs >= nextMs ? P2P_LIMITS.p2pAddressesGiven : 0;
        if (count > 0) nextMs = nowMs + BigInt(P2P_LIMITS.p2pAddressPauseMs);
        const addressList = book.sample(count, link.remote.ip).map(addressToWire);
        link.send({ $case: "addresses", value: { addressList } });
      }
    };
  };
}
