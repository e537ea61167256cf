/**
 * Program: draws the pictures for share previews of the explorer's pages into `web/explorer/share`, with the browser that the tests use. They are
 * kept in the repository: their bytes depend on the fonts of the machine that draws them.
 */
import { mkdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { PICTURES } from "@svc/web/build/explorerFiles.ts";
import { enChain } from "@svc/web/explorer/texts/enChain.ts";
import { enFrame } from "@svc/web/explorer/texts/enFrame.ts";
import { launchBrowser } from "../testkit/browser.ts";

const FOLDER = fileURLToPath(new URL("../../../web/explorer/share/", import.meta.url));
const MARK = readFileSync(new URL("../../../web/ui/mark.svg", import.meta.url), "utf8");
/** What previews of pages are shown at. */
const [WIDTH, HEIGHT] = [1200, 630];
/** Blocks of the drawing: column, row, and what the chain says of them. */
const BLOCKS = [
  [0, 0, "chain"],
  [1, 0, "chain"],
  [1, 1, "blue"],
  [2, 0, "chain"],
  [3, 0, "chain"],
  [3, -1, "blue"],
  [3, 1, "red"],
  [4, 0, "chain"],
  [5, 0, "chain"],
  [5, -1, "blue"],
  [6, 0, "chain"],
  [7, 0, "chain"],
  [7, 1, "blue"],
  [8, 0, "chain"],
] as const;
const [STEP, SIDE] = [120, 44];

type Picture = (typeof PICTURES)[number];

const WORDS: { readonly [P in Picture]: readonly [title: string, lead: string] } = {
  overview: [enChain["overview.title"], enChain["overview.lead"]],
  block: [enChain["block.title"], enChain["blocks.lead"]],
  transaction: [enChain["transaction.title"], enChain["hidden.disclosure"]],
  dag: [enChain["dag.title"], enChain["dag.lead"]],
  charts: [enChain["charts.title"], enChain["charts.lead"]],
  supply: [enChain["supply.title"], enChain["supply.lead"]],
};

function graph(): string {
  const place = (column: number, row: number) => [column * STEP + 60, row * 74 + 110] as const;
  const edges = BLOCKS.flatMap(([column, row]) =>
    BLOCKS.filter(([from, beside]) => from === column - 1 && (row === 0 || beside === 0)).map(
      ([from, beside]) => {
        const [[x, y], [toX, toY]] = [place(column, row), place(from, beside)];
        return `<path d="M${x} ${y}L${toX} ${toY}" stroke="#3b4d49" stroke-width="3"/>`;
      },
    ),
  );
  const shapes = BLOCKS.map(([column, row, kind]) => {
    const [x, y] = place(column, row);
    if (kind === "blue") return `<circle cx="${x}" cy="${y}" r="${SIDE / 2}" fill="#7fb4ec"/>`;
    const turn = kind === "red" ? `transform="rotate(45 ${x} ${y})"` : "";
    const fill = kind === "red" ? "#ff8f83" : "#4fc3a9";
    const at = `x="${x - SIDE / 2}" y="${y - SIDE / 2}"`;
    return `<rect ${at} width="${SIDE}" height="${SIDE}" rx="8" fill="${fill}" ${turn}/>`;
  });
  return `<svg width="1080" height="220" viewBox="0 0 1080 220">${[...edges, ...shapes].join("")}</svg>`;
}

function pageOf(picture: Picture): string {
  const [title, lead] = WORDS[picture];
  return `<!doctype html><meta charset="utf-8"><style>
    body { margin: 0; width: ${WIDTH}px; height: ${HEIGHT}px; box-sizing: border-box; padding: 56px 60px;
      background: #0b1211; color: #e8efec; font-family: system-ui, sans-serif; }
    header { display: flex; align-items: center; gap: 20px; color: #b0beb9; font-size: 30px; }
    header svg { width: 60px; height: 60px; }
    h1 { margin: 34px 0 12px; font-size: 72px; letter-spacing: -2px; }
    p { margin: 0 0 30px; max-width: 1000px; color: #b0beb9; font-size: 30px; line-height: 1.35; }
  </style><header>${MARK}${enFrame["frame.title"]}</header><h1>${title}</h1><p>${lead}</p>${graph()}`;
}

mkdirSync(FOLDER, { recursive: true });
const browser = await launchBrowser();
const page = await browser.newPage({ viewport: { width: WIDTH, height: HEIGHT } });
for (const picture of PICTURES) {
  await page.setContent(pageOf(picture));
  await page.screenshot({ path: `${FOLDER}${picture}.png` });
}
await browser.close();
