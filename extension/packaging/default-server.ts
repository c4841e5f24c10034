/**
 * The server that `npm start` builds into the extension: `WXT_CURT_SERVER`, otherwise the server that it
 * starts, if others can reach it (`BASE_URL`). Undefined for the extension's own default. An invalid
 * `BASE_URL` is left to the server, which says what is wrong with it.
 */
export function chooseDefaultServer(env: Record<string, string | undefined>): string | undefined {
  const { WXT_CURT_SERVER: chosen, BASE_URL: baseUrl = '' } = env;
  if (chosen) return chosen;
  return /^https?:\/\//i.test(baseUrl) && URL.canParse(baseUrl)
    ? new URL(baseUrl).origin
    : undefined;
}
