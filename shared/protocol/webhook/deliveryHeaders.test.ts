import { createHmac } from "node:crypto";
import { expect, it } from "vitest";
import { deliveryHeaders, GREENFIELD_SIGNATURE } from "./deliveryHeaders.ts";

const body = new TextEncoder().encode('{"type":"InvoiceSettled"}');
const message = { id: "evt_1", sentAt: 1_700_000_000n, body };
const one = { secret: "a secret of a shop", message, type: "InvoiceSettled", attempts: 0 };

it("signs the form greenfield over the body alone, as PHP's hash_hmac does", async () => {
  const headers = await deliveryHeaders({ ...one, form: "greenfield" });
  const expected = createHmac("sha256", one.secret).update(body).digest("hex");
  expect(headers).toEqual({ [GREENFIELD_SIGNATURE]: `sha256=${expected}` });
  const other = await deliveryHeaders({ ...one, form: "greenfield", secret: "another secret" });
  expect(other).not.toEqual(headers);
});

it("signs the form svc twice, and names event and try", async () => {
  const headers = await deliveryHeaders({ ...one, form: "svc", attempts: 2 });
  expect(headers).toMatchObject({ "svc-event-id": "evt_1", "svc-delivery-attempt": "3" });
  expect(Object.keys(headers)).toEqual(
    expect.arrayContaining(["svc-signature", "webhook-signature"]),
  );
});
