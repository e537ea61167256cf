/** The contract of the gateway API over the self-hosted gateway's database, in memory and on disk. */
import { folderOfTest } from "@svc/node-server/platform/testkit/folderOfTest.ts";
import { DeskHost } from "@svc/node-server/gateway/testkit/deskHost.ts";
import { gatewayContract } from "../../gateway/gatewayContract.ts";
import { greenfieldContract } from "../../gateway/greenfield/greenfieldContract.ts";
import { receiptContract } from "../../gateway/receiptContract.ts";
import { greenfieldRefunds } from "../../gateway/greenfield/greenfieldRefundContract.ts";
import { pageContract } from "../../gateway/pageContract.ts";
import { PAGE_FILES } from "../../gateway/pageFiles.ts";
import { priceContract } from "../../gateway/priceContract.ts";
import { refundContract } from "../../gateway/refundContract.ts";
import { tillContract } from "../../gateway/tillContract.ts";

/** What one coin costs where tills ring up in euros. */
const RATES = { rates: { EUR: "8.00" } };

gatewayContract("the desk in memory", () => DeskHost.open(null));
gatewayContract("the desk on disk", () => DeskHost.open(folderOfTest()));
pageContract("the desk", () => DeskHost.open(null, { assets: PAGE_FILES }));
priceContract("the desk", () => DeskHost.open(null));
refundContract("the desk in memory", () => DeskHost.open(null));
refundContract("the desk on disk", () => DeskHost.open(folderOfTest()));
tillContract("the desk in memory", () => DeskHost.open(null, RATES));
tillContract("the desk on disk", () => DeskHost.open(folderOfTest(), RATES));
greenfieldContract("the desk in memory", () => DeskHost.open(null));
greenfieldContract("the desk on disk", () => DeskHost.open(folderOfTest()));
greenfieldRefunds("the desk in memory", () => DeskHost.open(null));
greenfieldRefunds("the desk on disk", () => DeskHost.open(folderOfTest()));

receiptContract("the desks over a database in memory", () => DeskHost.open(null));
