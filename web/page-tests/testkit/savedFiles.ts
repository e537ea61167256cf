/** Files that the page has the browser save: kept for the test, and not written to a disk. */
import { onTestFinished, vi } from "vitest";

/** A file by its name, with what is in it. */
export type SavedFile = { readonly name: string; readonly content: Blob };

/** Notes every file that is saved until the test ends. */
export function savedFiles(): readonly SavedFile[] {
  const files: SavedFile[] = [];
  const blobs = new Map<string, Blob>();
  const make = URL.createObjectURL;
  const making = vi.spyOn(URL, "createObjectURL").mockImplementation((content) => {
    const url = make.call(URL, content);
    if (content instanceof Blob) blobs.set(url, content);
    return url;
  });
  const clicking = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function save(
    this: HTMLAnchorElement,
  ) {
    const content = blobs.get(this.href);
    if (content === undefined) throw new TypeError(`${this.href} is no file of the page`);
    files.push({ name: this.download, content });
  });
  onTestFinished(() => {
    making.mockRestore();
    clicking.mockRestore();
  });
  return files;
}
