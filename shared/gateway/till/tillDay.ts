/** Days and times of a till's time zone. */

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** Whether the time zone database has a zone of this name. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

/** The day of a moment, Unix seconds, as `2026-11-27`. */
export function dayOf(seconds: number, timeZone: string): string {
  return localTime(seconds, timeZone).slice(0, "2026-11-27".length);
}

/** The day before a day. */
export function dayBefore(day: string): string {
  const ms = Date.parse(`${day}T00:00:00Z`) - DAY_MS;
  return new Date(ms).toISOString().slice(0, day.length);
}

/** A moment, Unix seconds, by the clock of the zone and with its distance from UTC: `2026-11-27T14:03:05+01:00`. */
export function localTime(seconds: number, timeZone: string): string {
  const form = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    hourCycle: "h23",
    ...{ year: "numeric", month: "2-digit", day: "2-digit" },
    ...{ hour: "2-digit", minute: "2-digit", second: "2-digit" },
  });
  const parts = new Map(
    form.formatToParts(seconds * 1_000).map(({ type, value }) => [type, value]),
  );
  const part = (name: Intl.DateTimeFormatPartTypes): string => parts.get(name) ?? "";
  const day = `${part("year").padStart(4, "0")}-${part("month")}-${part("day")}`;
  const clock = `${part("hour")}:${part("minute")}:${part("second")}`;
  const minutes = Math.round((Date.parse(`${day}T${clock}Z`) - seconds * 1_000) / MINUTE_MS);
  return `${day}T${clock}${offsetText(minutes)}`;
}

function offsetText(minutes: number): string {
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const [h, m] = [hours, rest].map((part) => String(part).padStart(2, "0"));
  return `${minutes < 0 ? "-" : "+"}${h}:${m}`;
}
