/**
 * The path and query of a request's target, as one that every router can read. Fastify answers what
 * its router cannot read outside of all plugins, and so in another shape.
 *
 * - `http://host/path`, as sent to a proxy, becomes `/path` (RFC 9112, section 3.2.2).
 * - Whatever else has no path (`*`, `http:///x`, `?q`) becomes one that leads nowhere.
 * - A broken percent escape (`/%zz`, `/%ff`) is escaped.
 */
export function toOriginForm(target: string): string {
  const url = target.startsWith('/') ? target : withoutOrigin(target);
  if (!url.includes('%')) return url;
  const path = /^[^?#]*/.exec(url)?.[0] ?? '';
  try {
    decodeURI(path);
    return url;
  } catch {
    return path.replaceAll('%', '%25') + url.slice(path.length);
  }
}

function withoutOrigin(target: string): string {
  const [, path] = /^https?:\/\/[^/?#]+(.*)$/is.exec(target) ?? [];
  if (path === undefined) return `//${target}`;
  return path.startsWith('/') ? path : `/${path}`;
}
