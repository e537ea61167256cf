/** The least part of a value that a series must span, for the axis of values to have distinct marks. */
const LEAST_SPAN = 1e-6;

/**
 * The ends of the axis of values, with some room above. A level series stands in the middle, and so does one whose values differ
 * by less than can be marked: the plot would look for marks between numbers that have none between them, without an end.
 */
export function valueRange(
  least: number | null,
  most: number | null,
  fromZero: boolean,
): [number, number] {
  const [low, high] = [fromZero ? Math.min(0, least ?? 0) : (least ?? 0), most ?? 1];
  const size = Math.max(Math.abs(low), Math.abs(high));
  const span = high - low < size * LEAST_SPAN ? 0 : high - low;
  const room = span * 0.08 || size * 0.5 || 1;
  return [fromZero && low === 0 ? 0 : low - room, high + room];
}
