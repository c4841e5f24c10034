/** The parameters, the salt and the digest. */
const PHC =
  /^\$argon2id\$v=19\$m=([1-9]\d{0,6}),t=([1-9]\d{0,2}),p=([1-9]\d?)\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/;
/** More than Curt's own hashes need, and less than what would occupy the server. */
const MEMORY_MAX_KIB = 64 * 1024;
const PASSES_MAX = 4;
const LANES_MAX = 4;

/**
 * Whether the text is an argon2id hash in PHC string format that can be verified, and cheaply enough. The cost of
 * each check of the password is written in the hash, so a foreign one could take minutes.
 */
export function isSafePasswordHash(text: string): boolean {
  const [, ...parts] = PHC.exec(text) ?? [];
  const [memory = 0, passes = 0, lanes = 0] = parts.map(Number);
  return (
    parts.slice(3).every(isBase64) &&
    within(memory, 8 * lanes, MEMORY_MAX_KIB) &&
    within(passes, 1, PASSES_MAX) &&
    within(lanes, 1, LANES_MAX)
  );
}

/** Whether the text is without padding and without bits that are not used, as decoders require. */
function isBase64(text: string): boolean {
  return Buffer.from(text, 'base64').toString('base64').replaceAll('=', '') === text;
}

function within(value: number, min: number, max: number): boolean {
  return value >= min && value <= max;
}
