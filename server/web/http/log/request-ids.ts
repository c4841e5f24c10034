/** Ids of requests, unique in this process: `req-1`, `req-2`, … in base 36. */
export function requestIds(): () => string {
  let last = 0;
  return () => `req-${(++last).toString(36)}`;
}
