const PROBE_TIMEOUT_MS = 5000;

/**
 * Whether anything responds at an origin. `fetch` throws the same `TypeError` for a refused connection
 * and for a response without CORS headers; in `no-cors` mode it throws for the former only. That mode
 * follows redirects, so the request carries no data.
 */
export async function respondsAtAll(origin: string): Promise<boolean> {
  try {
    await fetch(new URL('/api/health', origin), {
      mode: 'no-cors',
      credentials: 'omit',
      cache: 'no-store',
      signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
    });
    return true;
  } catch {
    return false;
  }
}
