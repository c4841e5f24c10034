const watchers = new Set<Set<string>>();

/** Call whenever an entry of the list is written or removed. */
export function noteChange(shortUrl: string): void {
  for (const changed of watchers) changed.add(shortUrl);
}

/**
 * Collects the short URLs of all entries that change from now on, until `stop`. A copy of the account
 * that was read meanwhile is older than these entries.
 */
export function watchChanges(): { changed: ReadonlySet<string>; stop(): void } {
  const changed = new Set<string>();
  watchers.add(changed);
  return { changed, stop: () => void watchers.delete(changed) };
}
