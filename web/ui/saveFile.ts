/** Saving of a file that the page made. */

/** Has the browser save a file. It leaves the page for the person's own disk, and nothing else. */
export function saveFile(
  content: Uint8Array | string,
  name: string,
  type = "application/octet-stream",
): void {
  const part = typeof content === "string" ? content : content.slice();
  const url = URL.createObjectURL(new Blob([part], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
