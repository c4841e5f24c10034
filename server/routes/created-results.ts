import { createCipheriv, createDecipheriv, hash, hkdfSync, randomBytes } from 'node:crypto';
import { LruMap } from 'toad-cache';
import type { Clock } from '../lib/time.ts';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Browsers follow a redirect at once. */
const KEY_MAX_AGE_MS = 60_000;
/** A second click sends the form again while the first result arrives, and its result is what is seen. */
const DOUBLE_CLICK_MS = 5_000;
const REMEMBERED_MAX = 10_000;

/** What the page of a new link shows. */
type CreatedResult = {
  /** As the store has it. */
  alias: string;
  /** Token of the new account. */
  authToken?: string | undefined;
};

/**
 * Creates the results of the home page's form, sealed to be a part of the URL of their page. The form redirects to
 * it, so that no form is in the browser's history that would show the account's key when it is sent again. Each
 * server with the secret can open a result, and shows its key once.
 */
export function createCreatedResults({ secret, clock }: { secret: Buffer; clock: Clock }) {
  const cipherKey = Buffer.from(hkdfSync('sha256', secret, '', 'created-result', 32));
  /** When they were shown, by the hash of a key and by the nonce of its result. */
  const shown = new LruMap<number>(REMEMBERED_MAX);

  function seal({ alias, authToken }: CreatedResult): string {
    const shownAt = authToken === undefined ? undefined : shown.get(hashOf(authToken));
    const isOver = shownAt !== undefined && clock() - shownAt > DOUBLE_CLICK_MS;
    const content = [alias, clock(), isOver ? undefined : authToken];
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, cipherKey, nonce);
    const sealed = [cipher.update(JSON.stringify(content)), cipher.final()];
    return Buffer.concat([nonce, cipher.getAuthTag(), ...sealed]).toString('base64url');
  }

  /**
   * @param isOwn whether who opens it has sent the form; others get no key, and leave it for who has
   * @returns undefined if it was not sealed with the same secret
   */
  function open(sealed: string, isOwn: boolean): CreatedResult | undefined {
    const bytes = Buffer.from(sealed, 'base64url');
    const content = unseal(bytes, cipherKey);
    if (content === undefined) return undefined;
    const [alias, sealedAt, authToken] = JSON.parse(content);
    const nonce = nonceOf(bytes);
    const isShown = isOwn && typeof authToken === 'string' && shown.get(nonce) === undefined;
    if (!isShown || clock() - sealedAt > KEY_MAX_AGE_MS) return { alias };
    shown.set(nonce, clock());
    const keyHash = hashOf(authToken);
    if (shown.get(keyHash) === undefined) shown.set(keyHash, clock());
    return { alias, authToken };
  }

  /** The page did not arrive. */
  function takeBack(sealed: string): void {
    shown.delete(nonceOf(Buffer.from(sealed, 'base64url')));
  }

  return { seal, open, takeBack };
}

function unseal(bytes: Buffer, cipherKey: Buffer): string | undefined {
  if (bytes.length <= NONCE_BYTES + TAG_BYTES) return undefined;
  const options = { authTagLength: TAG_BYTES };
  const decipher = createDecipheriv(CIPHER, cipherKey, bytes.subarray(0, NONCE_BYTES), options);
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  try {
    const content = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
    return Buffer.concat([content, decipher.final()]).toString();
  } catch {
    return undefined;
  }
}

/** The nonce, which identifies a text that itself has more than one spelling. */
function nonceOf(bytes: Buffer): string {
  return bytes.toString('base64url', 0, NONCE_BYTES);
}

function hashOf(authToken: string): string {
  return hash('sha256', authToken, 'base64url');
}
