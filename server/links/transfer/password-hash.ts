const PHC =
  /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$[A-Za-z0-9+/]{11,86}\$[A-Za-z0-9+/]{22,86}$/;
/** More than Curt's own hashes need, and less than what would occupy the server. */
const MEMORY_MAX_KIB = 64 * 1024;
const PASSES_MAX = 4;
const LANES_MAX = 4;

/**
 * Whether the text is an argon2id hash in PHC string format that is cheap enough to verify. The cost of
 * each check of the password is written in the hash, so a foreign one could take minutes.
 */
export function isSafePasswordHash(text: string): boolean {
  const [, memory, passes, lanes] = (PHC.exec(text) ?? []).map(Number);
  if (memory === undefined || passes === undefined || lanes === undefined) return false;
  return (
    within(memory, 8 * lanes, MEMORY_MAX_KIB) &&
    within(passes, 1, PASSES_MAX) &&
    within(lanes, 1, LANES_MAX)
  );
}

function within(value: number, min: number, max: number): boolean {
  return value >= min && value <= max;
}
