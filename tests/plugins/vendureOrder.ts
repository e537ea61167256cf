/** An order in a Vendure shop, as its customer makes it. */
import { expect } from "vitest";
import * as v from "valibot";
import { ask, type VendureShop } from "./vendureShop.ts";

const publicPart = v.looseObject({
  public: v.optional(
    v.looseObject({ checkoutUrl: v.string(), invoiceId: v.string(), amountSompi: v.string() }),
  ),
});
const payment = v.object({
  id: v.string(),
  state: v.string(),
  amount: v.number(),
  transactionId: v.nullable(v.string()),
  metadata: v.nullable(publicPart),
});
const order = v.object({
  id: v.string(),
  code: v.string(),
  state: v.string(),
  totalWithTax: v.number(),
  payments: v.nullable(v.array(payment)),
});

/** An order as an API shows it. */
export type ShownOrder = v.InferOutput<typeof order>;

const FIELDS = `id code state totalWithTax payments { id state amount transactionId metadata }`;

/** A customer with an order. */
export class VendureOrder {
  readonly #shop: VendureShop;
  #token = "";
  #id = "";
  code = "";

  constructor(shop: VendureShop) {
    this.#shop = shop;
  }

  /** Puts things into the cart and goes on to the payment. */
  static async place(shop: VendureShop, sku = "T1", quantity = 1): Promise<VendureOrder> {
    const one = new VendureOrder(shop);
    await one.add(sku, quantity);
    await one.ask(
      `mutation { setCustomerForOrder(input: { firstName: "A", lastName: "B", emailAddress: "a@shop.example" }) { __typename } }`,
    );
    await one.ask(
      `mutation { setOrderShippingAddress(input: { streetLine1: "1", city: "Linz", postalCode: "4020", countryCode: "AT" }) { __typename } }`,
    );
    const { eligibleShippingMethods } = await one.ask(`{ eligibleShippingMethods { id } }`);
    const [method] = v.parse(v.array(v.object({ id: v.string() })), eligibleShippingMethods);
    await one.ask(
      `mutation ($id: [ID!]!) { setOrderShippingMethod(shippingMethodId: $id) { __typename } }`,
      { id: [method?.id] },
    );
    await one.move("ArrangingPayment");
    return one;
  }

  /** Puts something more into the cart. */
  async add(sku: string, quantity: number): Promise<void> {
    const { products } = await this.ask(`{ products { items { variants { id sku } } } }`);
    const found = v.parse(
      v.object({
        items: v.array(
          v.object({ variants: v.array(v.object({ id: v.string(), sku: v.string() })) }),
        ),
      }),
      products,
    );
    const id = found.items.flatMap(({ variants }) => variants).find((one) => one.sku === sku)?.id;
    const { addItemToOrder } = await this.ask(
      `mutation ($id: ID!, $quantity: Int!) { addItemToOrder(productVariantId: $id, quantity: $quantity) { __typename ... on Order { id code } } }`,
      { id, quantity },
    );
    const made = v.parse(v.object({ id: v.string(), code: v.string() }), addItemToOrder);
    this.#id = made.id;
    this.code = made.code;
  }

  /** Puts the order into a state. */
  async move(state: string): Promise<void> {
    const { transitionOrderToState } = await this.ask(
      `mutation ($state: String!) { transitionOrderToState(state: $state) { __typename ... on Order { state } } }`,
      { state },
    );
    expect(transitionOrderToState).toMatchObject({ state });
  }

  /** Asks to pay: the order after it, or what the shop calls an error. */
  async pay(method = "coins"): Promise<ShownOrder> {
    return v.parse(order, await this.tryToPay(method));
  }

  /** Asks to pay; whatever the shop answers. */
  async tryToPay(method = "coins"): Promise<unknown> {
    const { addPaymentToOrder } = await this.ask(
      `mutation ($method: String!) { addPaymentToOrder(input: { method: $method, metadata: {} }) { __typename ... on Order { ${FIELDS} } ... on ErrorResult { errorCode message } ... on PaymentFailedError { paymentErrorMessage } } }`,
      { method },
    );
    return addPaymentToOrder;
  }

  /** The merchant asks to refund this much of the payment that counts; what the shop answers. */
  async refund(amount: number, reason: string): Promise<unknown> {
    const { id } = lastPayment(await this.seen());
    // The dashboard fills the old fields in, too.
    const input = { paymentId: id, amount, reason, lines: [], shipping: 0, adjustment: 0 };
    const { refundOrder } = await this.#shop.asMerchant(
      `mutation ($input: RefundOrderInput!) { refundOrder(input: $input) { __typename ... on Refund { id state total } ... on ErrorResult { message } } }`,
      { input },
    );
    return refundOrder;
  }

  /** The order as the merchant sees it. */
  async seen(): Promise<ShownOrder> {
    const { order: found } = await this.#shop.asMerchant(
      `query ($id: ID!) { order(id: $id) { ${FIELDS} } }`,
      { id: this.#id },
    );
    return v.parse(order, found);
  }

  /** State of the order, and of the payments that are not cancelled, the newest last. */
  async states(): Promise<readonly string[]> {
    const { state, payments } = await this.seen();
    const lasting = (payments ?? []).filter((one) => one.state !== "Cancelled");
    return [state, ...lasting.map((one) => one.state)];
  }

  /** The notes of the order that its merchant reads, the newest last. */
  async notes(): Promise<readonly string[]> {
    const { order: found } = await this.#shop.asMerchant(
      `query ($id: ID!) { order(id: $id) { history(options: { take: 100, sort: { id: ASC } }) { items { type data isPublic } } } }`,
      { id: this.#id },
    );
    const { history } = v.parse(
      v.object({
        history: v.object({
          items: v.array(
            v.object({
              type: v.string(),
              isPublic: v.boolean(),
              data: v.looseObject({ note: v.optional(v.string()) }),
            }),
          ),
        }),
      }),
      found,
    );
    return history.items.flatMap(({ type, isPublic, data }) =>
      type === "ORDER_NOTE" && !isPublic && data.note !== undefined ? [data.note] : [],
    );
  }

  /** Everything of the order that its customer can ask for, as text. */
  async shownToCustomer(): Promise<string> {
    const shown = await this.ask(
      `query ($code: String!) { orderByCode(code: $code) { ${FIELDS} history(options: { take: 100 }) { items { type data } } payments { method errorMessage refunds { id state reason transactionId method metadata } } } }`,
      { code: this.code },
    );
    return JSON.stringify(shown);
  }

  /** Asks the shop API in the customer's session. */
  async ask(query: string, variables: object = {}): Promise<Record<string, unknown>> {
    const { data, token } = await ask(`${this.#shop.url}/shop-api`, this.#token, query, variables);
    this.#token = token;
    return data;
  }
}

/** The payment that counts: the newest that is not cancelled. */
export function lastPayment({ payments }: ShownOrder) {
  const found = (payments ?? []).findLast(({ state }) => state !== "Cancelled");
  const shown = found?.metadata?.public;
  if (found === undefined || shown === undefined) throw new Error("no payment with a checkout");
  const { id, state, amount, transactionId } = found;
  return { id, state, amount, transactionId, ...shown };
}
