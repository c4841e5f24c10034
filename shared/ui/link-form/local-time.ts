/** A time as the value of `<input type="datetime-local">`. */
export function toLocalTime(iso: string): string {
  const time = new Date(iso);
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, '2030-01-31T12:00'.length);
}
