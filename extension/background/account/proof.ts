import type { Client } from '../../../shared/client.ts';
import { toBase64Url, toHex } from '../data/encode-bytes.ts';

const NONCE_BYTES = 32;
/** Of the hash of a token, by which the server finds it. */
const KEY_ID_BYTES = 8;

/** Whether a server proves that it knows a token, which is not sent: see `POST /api/identity/proof`. */
export async function provesToKnow(client: Client, token: string): Promise<boolean> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token));
  const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const keyId = toHex(hash.slice(0, KEY_ID_BYTES));
  const answer = await client.proveIdentity({ body: { keyId, nonce: toBase64Url(nonce.buffer) } });
  if (!answer.ok) return false;
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', hash, algorithm, false, ['sign']);
  return answer.data.proof === toBase64Url(await crypto.subtle.sign('HMAC', key, nonce));
}
