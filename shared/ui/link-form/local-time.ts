/** What `<input>` needs for a time. Without the latest one, it takes years of six digits. */
export const LOCAL_TIME_INPUT = { type: 'datetime-local', max: '9999-12-31T23:59' } as const;

/** Returns a time as the value of `<input type="datetime-local">`. */
export function toLocalTime(iso: string): string {
  return toExactLocalTime(iso).slice(0, '2030-01-31T12:00'.length);
}

/** Returns the same with its seconds, unless they are 0. A form that changes something else must not cut them off. */
export function toExactLocalTime(iso: string): string {
  const time = new Date(iso);
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000);
  return local.toISOString().replace(/(:00)?(\.000)?Z$/, '');
}

/** Whether it is a time. Such an `<input>` may have years that no `Date` has. */
export function isLocalTime(value: string): boolean {
  return !Number.isNaN(Date.parse(value));
}

/** Returns what such an `<input>` says, in UTC. */
export function fromLocalTime(value: string): string {
  return new Date(value).toISOString();
}
