/** Files that the page has the browser save: kept for the test in place of a disk. */
import { onTestFinished, vi } from "vitest";

/** A saved file. */
export type SavedFile = { readonly name: string; readonly content: Blob };

/** The files that are saved from now on until the test ends. */
export function savedFiles(): readonly SavedFile[] {
  const files: SavedFile[] = [];
  const contents = new Map<string, Blob>();
  const create = vi.spyOn(URL, "createObjectURL").mockImplementation((content) => {
    if (!(content instanceof Blob)) throw new TypeError("only files are saved");
    const url = `blob:file-${contents.size}`;
    contents.set(url, content);
    return url;
  });
  const click = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function press(
    this: HTMLAnchorElement,
  ) {
    const content = contents.get(this.href);
    if (content !== undefined && this.download !== "") files.push({ name: this.download, content });
  });
  onTestFinished(() => {
    create.mockRestore();
    click.mockRestore();
  });
  return files;
}
