/** The contract of the gateway API over the self-hosted gateway's database, in memory and on disk. */
import { folderOfTest } from "@svc/node-server/platform/testkit/folderOfTest.ts";
import { DeskHost } from "@svc/node-server/gateway/testkit/deskHost.ts";
import { gatewayContract } from "../gateway/gatewayContract.ts";
import { pageContract } from "../gateway/pageContract.ts";
import { PAGE_FILES } from "../gateway/pageFiles.ts";
import { priceContract } from "../gateway/priceContract.ts";
import { refundContract } from "../gateway/refundContract.ts";

gatewayContract("the desk in memory", () => DeskHost.open(null));
gatewayContract("the desk on disk", () => DeskHost.open(folderOfTest()));
pageContract("the desk", () => DeskHost.open(null, { assets: PAGE_FILES }));
priceContract("the desk", () => DeskHost.open(null));
refundContract("the desk in memory", () => DeskHost.open(null));
refundContract("the desk on disk", () => DeskHost.open(folderOfTest()));
