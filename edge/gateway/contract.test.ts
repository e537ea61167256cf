/** The contract of the gateway API over the hosted gateway, in workerd. */
import { gatewayContract } from "../../tests/gateway/gatewayContract.ts";
import { greenfieldContract } from "../../tests/gateway/greenfield/greenfieldContract.ts";
import { greenfieldRefunds } from "../../tests/gateway/greenfield/greenfieldRefundContract.ts";
import { EdgeHost } from "../testkit/edgeHost.ts";
import { pageContract } from "../../tests/gateway/pageContract.ts";
import { priceContract } from "../../tests/gateway/priceContract.ts";
import { receiptContract } from "../../tests/gateway/receiptContract.ts";
import { refundContract } from "../../tests/gateway/refundContract.ts";

gatewayContract("the edge", () => EdgeHost.open());
greenfieldContract("the edge", () => EdgeHost.open());
pageContract("the edge", () => EdgeHost.open());
priceContract("the edge", () => EdgeHost.open());
receiptContract("the edge", () => EdgeHost.open());
refundContract("the edge", () => EdgeHost.open());
greenfieldRefunds("the edge", () => EdgeHost.open());
