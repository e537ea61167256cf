/** Entry of the wallet worker, the web worker with network, store and payment planning. Its calls are `WalletApi`. */
import "../threads/disposePolyfill.ts";
import { expose } from "comlink";
import * as glue from "../../wasm-core/pkg/core/core.js";
import { walletCalls } from "./walletCalls.ts";
import { installRpcErrors } from "../threads/rpcErrors.ts";

installRpcErrors();
expose(walletCalls(glue));
