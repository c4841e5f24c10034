/** The time zone of this browser, such as `Europe/Berlin`. */
export function browserTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** All other time zones that the browser knows, in alphabetical order. */
export function otherTimeZones(): string[] {
  const first = ['UTC', browserTimeZone()];
  return Intl.supportedValuesOf('timeZone').filter((name) => !first.includes(name));
}
