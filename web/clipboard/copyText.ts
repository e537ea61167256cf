/** Copies text to the clipboard of the browser. */

/**
 * Copies it. Whether it came to be: a person or a policy may refuse. In a frame, or over http from another machine, there is no clipboard to
 * write to; a selection is copied then.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copiedBySelection(text);
  }
}

function copiedBySelection(text: string): boolean {
  const field = document.createElement("textarea");
  const focused = document.activeElement;
  field.value = text;
  field.readOnly = true;
  // Set by script, which the policy of the pages allows; it shall not be seen, nor scroll the page.
  Object.assign(field.style, { position: "fixed", insetBlockStart: "0", opacity: "0" });
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return isCopied;
}
