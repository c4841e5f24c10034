/** Whether it is the name of a time zone that `Intl` knows, such as `Europe/Berlin`, or an offset, such as `+05:30`. */
export function isTimeZone(name: string | undefined): boolean {
  try {
    return name !== undefined && new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}
