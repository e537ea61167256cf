/**
 * A real Vendure server for tests, a process of its own. Over the channel to its parent it is told what to do, one line each:
 * `start` with the plugin's options, `now` with the time, `reconcile`, `log`, `stop`; each has an answer.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { INestApplication } from "@nestjs/common";
import { ModuleRef } from "@nestjs/core";
import {
  bootstrap,
  dummyPaymentHandler,
  Injector,
  LanguageCode,
  type VendureConfig,
  type VendureLogger,
} from "@vendure/core";
import { importProductsFromCsv, populateInitialData } from "@vendure/core/cli";
import type { SvcGatewayOptions } from "../src/base/pluginOptions.ts";
import { shopNowS } from "../src/base/shopClock.ts";
import { reconcileTask } from "../src/order/reconcileTask.ts";
import { SvcGatewayPlugin } from "../src/svcGatewayPlugin.ts";
import { PRODUCTS_CSV, SHOP_DATA } from "./shopData.ts";

type Told =
  | { readonly do: "start"; readonly nowS: number | null; readonly options: SvcGatewayOptions }
  | { readonly do: "now"; readonly nowS: number }
  | { readonly do: "reconcile" | "log" | "stop" };

/** Keeps what the shop logs. */
class KeptLog implements VendureLogger {
  readonly lines: string[] = [];
  readonly #add = (message: string, context?: string): void => {
    this.lines.push(`${context ?? ""} ${message}`);
  };
  readonly error = (message: string, context?: string, trace?: string): void =>
    this.#add(`${message} ${trace ?? ""}`, context);
  readonly warn = this.#add;
  readonly info = this.#add;
  readonly verbose = this.#add;
  readonly debug = this.#add;
}

const log = new KeptLog();
/** Unix seconds; null for the machine's clock. */
let nowS: number | null = null;
let app: INestApplication | null = null;

/** A shop on a port of its own at this machine, over a database in memory. */
function configOf(options: SvcGatewayOptions): VendureConfig {
  return {
    apiOptions: {
      port: 0,
      hostname: "127.0.0.1",
      adminApiPath: "admin-api",
      shopApiPath: "shop-api",
    },
    authOptions: { tokenMethod: "bearer" },
    dbConnectionOptions: { type: "sqljs", synchronize: true, logging: false },
    paymentOptions: { paymentMethodHandlers: [dummyPaymentHandler] },
    logger: log,
    plugins: [SvcGatewayPlugin.init({ ...options, nowS: () => nowS ?? shopNowS() })],
  };
}

/** Starts it; where it listens. */
async function start(options: SvcGatewayOptions): Promise<string> {
  app = await bootstrap(configOf(options));
  await populateInitialData(app, SHOP_DATA);
  const folder = mkdtempSync(join(tmpdir(), "svc-vendure-"));
  const products = join(folder, "products.csv");
  writeFileSync(products, PRODUCTS_CSV);
  const { errors } = await importProductsFromCsv(app, products, LanguageCode.en);
  rmSync(folder, { recursive: true, force: true });
  if (errors !== undefined && errors.length > 0) throw new Error(errors.join("; "));
  const address: { readonly port: number } = app.getHttpServer().address();
  return `http://127.0.0.1:${address.port}`;
}

async function answer(told: Told): Promise<unknown> {
  switch (told.do) {
    case "start":
      nowS = told.nowS;
      return start(told.options);
    case "now":
      nowS = told.nowS;
      return true;
    case "reconcile":
      if (app === null) throw new Error("the shop was not started");
      return reconcileTask.execute(new Injector(app.get(ModuleRef)));
    case "log":
      return log.lines.splice(0);
    case "stop":
      await app?.close();
      return true;
  }
}

process.on("message", (message) => {
  void answer(message as Told).then(
    (said) => process.send?.({ said }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});

// Its parent is gone.
process.on("disconnect", () => process.exit());
