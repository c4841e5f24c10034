/**
 * Makes a path with a broken percent escape (`/%zz`, `/%ff`) one that a router can read, so that it
 * takes the road of every other unknown address. Fastify answers it outside of all plugins
 * otherwise, where there are neither pages nor `request.accepts()`.
 */
export function mendUrl(url: string): string {
  if (!url.includes('%')) return url;
  const path = /^[^?#]*/.exec(url)?.[0] ?? '';
  try {
    decodeURI(path);
    return url;
  } catch {
    return path.replaceAll('%', '%25') + url.slice(path.length);
  }
}
