import siteNames from './site-names.json' with { type: 'json' };

/**
 * Hosts of search engines, social networks and AI assistants, with `{}` for any top-level domain.
 *
 * Source: https://github.com/matomo-org/searchengine-and-social-list (CC0 1.0), version of 2026-07-15,
 * without the search pages of other sites.
 */
const NAMES = new Map(
  Object.entries(siteNames).flatMap(([name, hosts]) =>
    hosts.map((host): [string, string] => [host, name]),
  ),
);
/** `com`, `de`, `co.uk`, `com.br` */
const TOP_LEVEL_DOMAIN = /\.(?:com?\.)?[a-z]+$/;

/**
 * The name of a site that everybody knows by it, such as `Google` for `news.google.de`; otherwise the host.
 *
 * @param host in lower case, without `www.`
 */
export function siteName(host: string): string {
  for (let rest = host; rest.includes('.'); rest = rest.slice(rest.indexOf('.') + 1)) {
    const name = NAMES.get(rest) ?? NAMES.get(rest.replace(TOP_LEVEL_DOMAIN, '.{}'));
    if (name !== undefined) return name;
  }
  return host;
}
