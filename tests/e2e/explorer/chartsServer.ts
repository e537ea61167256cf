/** Server of a page with nothing but the charts, rendered on the server and brought to life in the browser. */
import { createServer, type Server } from "node:http";
import * as v from "valibot";
import { listenLocally } from "@svc/node-server/platform/testkit/listenLocally.ts";
import {
  buildPart,
  importPart,
  PART_POLICY,
  PART_TYPES,
  type PartFiles,
} from "../testkit/buildParts.ts";

const text = v.pipe(
  v.function(),
  v.transform((made) => (locale: string) => v.parse(v.string(), made(locale))),
);
const renderer = v.object({ renderCharts: text, hydrationScript: text });

/** The server. `?lang=de` asks for another language, which is not brought to life. */
export class ChartsServer {
  readonly url: string;
  readonly #server: Server;

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.url = `http://127.0.0.1:${port}`;
  }

  /** Builds the page and takes a port. */
  static async start(): Promise<ChartsServer> {
    const { renderCharts, hydrationScript } = v.parse(
      renderer,
      await importPart("renderCharts.ts"),
    );
    const files = new Map(await buildPart("chartsMain.tsx", true));
    files.set("/hydration.js", hydrationScript("en"));
    const server = createServer((request, response) => {
      const url = new URL(request.url ?? "/", "http://localhost");
      const locale = url.searchParams.get("lang") ?? "en";
      const page = url.pathname === "/" ? pageOf(files, renderCharts(locale), locale) : null;
      const body = page ?? files.get(url.pathname) ?? "";
      const ending = page === null ? (url.pathname.split(".").at(-1) ?? "") : "html";
      response.writeHead(200, {
        "Content-Type": PART_TYPES[ending] ?? "text/plain",
        "Content-Security-Policy": PART_POLICY,
      });
      response.end(body);
    });
    return new ChartsServer(server, await listenLocally(server));
  }

  /** Ends every connection. */
  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

function pageOf(files: PartFiles, markup: string, locale: string): string {
  const named = (ending: string, part: string) =>
    [...files.keys()].find((path) => path.endsWith(ending) && path.includes(part)) ?? "";
  const script =
    locale === "en" ? `<script type="module" src="${named(".js", "chartsMain")}"></script>` : "";
  return `<!doctype html><html lang="${locale}"><head><meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="color-scheme" content="light dark" /><title>Charts</title>
<link rel="stylesheet" href="${named(".css", "chartsMain")}" />
<script src="/hydration.js"></script>${script}</head><body>${markup}</body></html>`;
}
