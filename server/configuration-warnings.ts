import type { Settings } from './config.ts';
import { parseAuthority } from './lib/host-name.ts';
import type { StoredDomains } from './store/domains.ts';

/** What is probably wrong with the settings, although the server can start with them. */
export function configurationWarnings(
  { baseUrl, trustProxy }: Settings,
  domains: StoredDomains,
): string[] {
  const warnings: string[] = [];
  if (baseUrl?.startsWith('https:') && trustProxy.length === 0) {
    warnings.push(
      'BASE_URL is https, so Curt is probably behind a proxy, but TRUST_PROXY is not set. Until it is, all visitors count as one client.',
    );
  }
  const host = baseUrl === undefined ? undefined : parseAuthority(new URL(baseUrl).host);
  if (host !== undefined && domains.has(host)) {
    warnings.push(
      `BASE_URL is at ${host}, which administrators added as a domain before. The links of that domain cannot be visited. Set BASE_URL back, and move them with \`curt domain remove ${host} --move-links-to <host>\`.`,
    );
  }
  return warnings;
}
