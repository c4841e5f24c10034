const PROBE_TIMEOUT_MS = 5000;

/**
 * A refused connection and an answer without our CORS headers are one `TypeError`. A call whose
 * answer cannot be read succeeds only where there is one. (Its mode allows following redirects
 * only; it carries neither address nor token.)
 */
export async function answersAnybody(origin: string): Promise<boolean> {
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
