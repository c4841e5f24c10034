const watchers = new Set<Set<string>>();

/** Call whenever an entry of the list is written or removed. */
export function noteChange(shortUrl: string): void {
  for (const changed of watchers) changed.add(shortUrl);
}

/**
 * Collects the short URLs of all saved links that change from now on, until `stop`. What is read
 * meanwhile is older.
 */
export function watchChanges(): { changed: ReadonlySet<string>; stop(): void } {
  const changed = new Set<string>();
  watchers.add(changed);
  return { changed, stop: () => void watchers.delete(changed) };
}
