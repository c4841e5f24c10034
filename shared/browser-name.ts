/** The first one that a browser's user agent has: each also names those that it was made from. */
const NAMES = [
  ['Edg', 'Edge'],
  ['OPR', 'Opera'],
  ['Vivaldi', 'Vivaldi'],
  ['SamsungBrowser', 'Samsung Internet'],
  ['Firefox', 'Firefox'],
  ['FxiOS', 'Firefox'],
  ['CriOS', 'Chrome'],
  ['Chrome', 'Chrome'],
  ['Safari', 'Safari'],
] as const;

/** Returns what people call their browser, for the name of a token that it gets. */
export function browserName(userAgent: string): string {
  return NAMES.find(([part]) => new RegExp(`${part}\\w*/`).test(userAgent))?.[1] ?? 'Browser';
}
