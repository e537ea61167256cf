/** Calendar days of this machine's time zone. */

/** One day from its first to before its last millisecond; rows of a history come in the order of their times. */
let known = { from: 0, to: 0, name: "" };

/** The day of a time, the same text for every time of it. */
export function localDay(ms: bigint | number): string {
  const time = Number(ms);
  if (time < known.from || time >= known.to) {
    const start = new Date(time);
    start.setHours(0, 0, 0, 0);
    const end = new Date(start);
    end.setDate(end.getDate() + 1);
    const name = `${start.getFullYear()}-${start.getMonth() + 1}-${start.getDate()}`;
    known = { from: start.getTime(), to: end.getTime(), name };
  }
  return known.name;
}
