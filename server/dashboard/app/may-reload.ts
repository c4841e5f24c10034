import type { TokenStorage } from '../session/session.ts';

const RELOADED_KEY = 'curt-reloaded';
/** A reload that doesn't help is not repeated: the page says what is wrong. */
const AGAIN_AFTER_MS = 60_000;

/** Whether the page may load itself again. Notes that it does. */
export function mayReload(storage: TokenStorage, nowMs: number): boolean {
  const before = Number(storage.getItem(RELOADED_KEY) ?? 0);
  if (nowMs - before < AGAIN_AFTER_MS) return false;
  storage.setItem(RELOADED_KEY, String(nowMs));
  return true;
}
