import type { Settings } from './config.ts';

/** What is probably wrong with the settings, although the server can start with them. */
export function configurationWarnings({ baseUrl, trustProxy }: Settings): string[] {
  if (!baseUrl?.startsWith('https:') || trustProxy.length > 0) return [];
  return [
    'BASE_URL is https, so Curt is probably behind a proxy, but TRUST_PROXY is not set. Until it is, all visitors count as one client.',
  ];
}
