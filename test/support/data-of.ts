/** What a call returned, which must have succeeded. */
export function dataOf<T>(result: { ok: true; data: T } | { ok: false; code: string }): T {
  if (!result.ok) throw new Error(JSON.stringify(result));
  return result.data;
}
