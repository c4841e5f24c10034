/** A time zone in which it is about noon, so that no test passes midnight. */
export function noonTimeZone(): string {
  const hoursAhead = 12 - new Date().getUTCHours();
  // These names count the other way: Etc/GMT-3 is three hours ahead of UTC.
  return `Etc/GMT${hoursAhead > 0 ? '-' : '+'}${Math.abs(hoursAhead)}`;
}

/** The current date, as 2030-01-31. */
export function dateIn(timeZone: string): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone }).format();
}
