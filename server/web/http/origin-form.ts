/**
 * Converts a request target to a path and query that the router can parse. Fastify handles targets that
 * its router cannot parse outside of all plugins, so the response would have another format.
 *
 * - The absolute form `http://host/path` becomes `/path` (RFC 9112, section 3.2.2).
 * - Other targets without a path (`*`, `http:///x`, `?q`) become a path that matches no route.
 * - Duplicate slashes are one: programs put a path behind a base URL that ends with one.
 * - Malformed percent escapes (`/%zz`, `/%ff`) are escaped.
 */
export function toOriginForm(target: string): string {
  const url = target.startsWith('/') ? withSingleSlashes(target) : withoutOrigin(target);
  if (!url.includes('%')) return url;
  const path = /^[^?#]*/.exec(url)?.[0] ?? '';
  try {
    decodeURI(path);
    return url;
  } catch {
    return path.replaceAll('%', '%25') + url.slice(path.length);
  }
}

function withSingleSlashes(url: string): string {
  if (!url.includes('//')) return url;
  return url.replace(/^[^?#]*/, (path) => path.replace(/\/{2,}/g, '/'));
}

function withoutOrigin(target: string): string {
  const [, path] = /^https?:\/\/[^/?#]+(.*)$/is.exec(target) ?? [];
  if (path === undefined) return `//${target}`;
  return withSingleSlashes(path.startsWith('/') ? path : `/${path}`);
}
