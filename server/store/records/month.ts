/** A calendar month (UTC). */
export type Month = {
  /** See `monthNumber`. */
  number: number;
  /** Milliseconds since the epoch. `end` is the start of the next month. */
  start: number;
  end: number;
};

/** The number of a time's calendar month (UTC), such as 24323 for November 2026. */
export function monthNumber(time: number): number {
  const date = new Date(time);
  return 12 * date.getUTCFullYear() + date.getUTCMonth() + 1;
}

/** The month of a time. The latest one is returned again, because most times are in it. */
export function newMonths(): (time: number) => Month {
  let latest: Month = { number: 0, start: 0, end: 0 };
  return (time) => {
    if (!isIn(time, latest)) {
      const [year, month] = [new Date(time).getUTCFullYear(), new Date(time).getUTCMonth()];
      latest = {
        number: monthNumber(time),
        start: Date.UTC(year, month),
        end: Date.UTC(year, month + 1),
      };
    }
    return latest;
  };
}

export function isIn(time: number, { start, end }: Month): boolean {
  return time >= start && time < end;
}
