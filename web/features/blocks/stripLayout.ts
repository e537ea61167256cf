/** Graph layout of the DAG drawing: the place of each block's square. Pure geometry in SVG units. */
import type { ChainFacts } from "@svc/shared/protocol/facts/chainFacts.ts";
import { mergedBeside, type ChainRows } from "./chainRows.ts";

/** Distance between chain blocks, side of a square, and the height of the drawing. */
export const STRIP = { step: 44, side: 22, small: 14, height: 148, middle: 64 } as const;

/** Merged blocks drawn above and below; more are only counted in the list. */
const LANES = 2;

/** A merged block and the line to the chain block that merged it. */
export type MergedSquare = {
  readonly hash: string;
  readonly color: "blue" | "red";
  readonly x: number;
  readonly y: number;
  readonly line: string;
};

/** A chain block with its column. */
export type ChainSquare = {
  readonly row: ChainFacts;
  readonly x: number;
  readonly merged: readonly MergedSquare[];
};

/** Lays out the newest `columns` rows, oldest on the left. Blues go above the chain, reds below. */
export function stripLayout(rows: ChainRows, columns: number): readonly ChainSquare[] {
  return rows
    .slice(0, columns)
    .toReversed()
    .map((row, column) => {
      const x = STRIP.step * column + STRIP.step / 2;
      return { row, x, merged: mergedSquares(row, x) };
    });
}

/** Width of a strip with so many columns. */
export function stripWidth(columns: number): number {
  return columns * STRIP.step;
}

function mergedSquares(row: ChainFacts, x: number): readonly MergedSquare[] {
  const beside = mergedBeside(row);
  return (["blue", "red"] as const).flatMap((color) =>
    beside
      .filter((block) => block.color === color)
      .slice(0, LANES)
      .map(({ hash }, lane) => {
        const away = (lane + 1) * 26 + 4;
        const y = STRIP.middle + (color === "blue" ? -away : away);
        const left = x - STRIP.step / 2;
        const line = `M${left} ${y}C${x} ${y} ${left} ${STRIP.middle} ${x} ${STRIP.middle}`;
        return { hash, color, x: left, y, line };
      }),
  );
}
