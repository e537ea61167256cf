/** A QR code as text for a terminal. */
import encodeQr from "qr";

/** Black on white whatever the colours of the terminal are: readers want dark on light, and a dark terminal would show the reverse. */
const COLORS = "\u001b[38;5;16;48;5;231m";
const PLAIN = "\u001b[0m";
/** Light modules around the code. Four are the norm; two are enough where the terminal's own colour is not black. */
const BORDER = 2;

/**
 * The lines of the code of a text, two rows of modules to a line by half blocks. Level L: the code shall fit on a screen, and a screen
 * has no dirt.
 */
export function terminalQr(text: string): readonly string[] {
  const rows = encodeQr(text, "raw", { ecc: "low", encoding: "byte", border: BORDER });
  const lines: string[] = [];
  for (let y = 0; y < rows.length; y += 2) {
    const [upper = [], lower = []] = [rows[y], rows[y + 1]];
    const cells = upper.map((isDark, x) => cellOf(isDark, lower[x] === true));
    lines.push(`${COLORS}${cells.join("")}${PLAIN}`);
  }
  return lines;
}

function cellOf(upper: boolean, lower: boolean): string {
  if (upper) return lower ? "█" : "▀";
  return lower ? "▄" : " ";
}
