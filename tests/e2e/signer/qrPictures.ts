/** QR codes between pages of the browser tests: drawn by one page, read out of another. */
import encodeQr from "qr";
import { drawnText } from "@svc/web/page-tests/testkit/drawnText.ts";
import type { Browser, Page } from "playwright-core";

/** Modules of the light border. */
const BORDER = 4;

/** Opens a second page that shows the texts one after the other, and takes a picture of each. */
export async function picturesOf(browser: Browser, texts: readonly string[]): Promise<Buffer[]> {
  const context = await browser.newContext({ viewport: { width: 700, height: 700 } });
  const page = await context.newPage();
  const pictures: Buffer[] = [];
  for (const text of texts) {
    const svg = encodeQr(text.toUpperCase(), "svg", { ecc: "low", border: BORDER });
    await page.setContent(`<body style="margin:40px;background:#cde">${svg}</body>`);
    pictures.push(await page.screenshot());
  }
  await context.close();
  return pictures;
}

/** The text of the code that a page draws as an image with this name. Throws where there is none. */
export async function textOfDrawn(page: Page, label: string): Promise<string> {
  const svg = page.getByRole("img", { name: label });
  const size = Number((await svg.getAttribute("viewBox"))?.split(" ")[3]);
  const path = (await svg.locator("path").getAttribute("d")) ?? "";
  return drawnText(size, path);
}

/** A film of the codes for the browser's false camera, in the Y4M form: each text for some pictures. */
export function filmOf(texts: readonly string[], pictures: number): Buffer {
  const [width, height] = [640, 480];
  const parts = [Buffer.from(`YUV4MPEG2 W${width} H${height} F15:1 Ip A1:1 C420jpeg\n`)];
  for (const text of texts) {
    const modules = encodeQr(text.toUpperCase(), "raw", { ecc: "low", border: BORDER });
    const frame = Buffer.alloc((width * height * 3) / 2, 128);
    frame.fill(255, 0, width * height);
    const scale = Math.floor(height / modules.length);
    const left = Math.floor((width - scale * modules.length) / 2);
    modules.forEach((row, y) =>
      row.forEach((isDark, x) => {
        if (!isDark) return;
        for (let line = 0; line < scale; line += 1) {
          const start = (y * scale + line) * width + left + x * scale;
          frame.fill(16, start, start + scale);
        }
      }),
    );
    for (let picture = 0; picture < pictures; picture += 1)
      parts.push(Buffer.from("FRAME\n"), frame);
  }
  return Buffer.concat(parts);
}
