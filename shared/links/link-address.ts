/** All that is needed of a link to call it by its name. */
type Named = { shortUrl: string };

/** Returns which link it is to the client of the API, on whatever domain: `go.example/sale`. */
export function addressOf(link: Named): string {
  return `${hostOf(link)}/${aliasOf(link)}`;
}

/** Returns the parameters of a link by its alias, or on another domain with its host in front: `go.example/sale`. */
export function linkAt(address: string): { alias: string; domain: string | undefined } {
  const slash = address.lastIndexOf('/');
  return {
    alias: address.slice(slash + 1),
    domain: slash === -1 ? undefined : address.slice(0, slash),
  };
}

/** Returns the host of a short URL, with its port. */
export function hostOf({ shortUrl }: Named): string {
  return new URL(shortUrl).host;
}

/** Returns the alias in a short URL. */
export function aliasOf({ shortUrl }: Named): string {
  return decodeURIComponent(new URL(shortUrl).pathname.slice(1));
}

/** Returns a URL as people read it, without `https://`. */
export function withoutProtocol(url: string): string {
  return url.replace(/^https?:\/\//i, '');
}

/** Sorts by creation time, then by short URL, so that the order is the same everywhere. */
export function newestFirst(one: Named & { created: string }, other: Named & { created: string }) {
  const byTime = Date.parse(other.created) - Date.parse(one.created);
  if (byTime !== 0) return byTime;
  return one.shortUrl < other.shortUrl ? -1 : 1;
}
