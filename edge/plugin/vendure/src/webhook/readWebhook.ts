import { raw, type NextFunction, type Request, type Response } from "express";
import { VENDURE_LIMITS } from "../base/pluginLimits.ts";

/** The signature is over the bytes as they came. What is compressed could be large, and is refused. */
const read = raw({ type: () => true, limit: VENDURE_LIMITS.webhookBytes, inflate: false });

/** Reads the body of a webhook as bytes, within its bound; ends the request where it cannot. */
export function readWebhook(request: Request, response: Response, next: NextFunction): void {
  read(request, response, (fault?: unknown) => {
    if (fault === undefined) return next();
    // The rest of the body is not read.
    response.setHeader("Connection", "close");
    response
      .status(statusOf(fault))
      .json({ error: "The webhook was not taken.", code: "bad_body" });
  });
}

function statusOf(fault: unknown): number {
  const status: unknown =
    typeof fault === "object" && fault !== null ? Reflect.get(fault, "status") : 0;
  return typeof status === "number" && status >= 400 && status < 500 ? status : 400;
}
