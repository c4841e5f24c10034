import { createHmac } from 'node:crypto';
import type { IdentityProofRequest } from '../../shared/accounts/identity.ts';
import type { RandomBytes } from '../lib/random-bytes.ts';
import { TOKEN_HASH_START } from '../store/account.ts';
import type { Store } from '../store/store.ts';

const SERVER_ID_BYTES = 16;
const PROOF_BYTES = 32;

/** Returns the ID of the server: it belongs to the data, as their secret does, which it says nothing about. */
export function serverIdOf(dataSecret: Buffer): string {
  const bits = createHmac('sha256', dataSecret)
    .update(JSON.stringify(['server']))
    .digest();
  return bits.subarray(0, SERVER_ID_BYTES).toString('base64url');
}

type Dependencies = { store: Pick<Store, 'findTokenHash'>; randomBytes: RandomBytes };

/**
 * Proves that the server knows a token, of which the client tells only the start of its hash: see
 * `POST /api/identity/proof`. Nobody can tell a random proof from a right one without the token.
 */
export async function proveIdentity(
  { keyId, nonce }: IdentityProofRequest,
  { store, randomBytes }: Dependencies,
): Promise<string> {
  const id = Buffer.from(keyId, 'hex');
  const found = await store.findTokenHash(id.toString('base64url').slice(0, TOKEN_HASH_START));
  const key = Buffer.from(found ?? '', 'base64url');
  if (!key.subarray(0, id.length).equals(id)) return randomBytes(PROOF_BYTES).toString('base64url');
  return createHmac('sha256', key).update(Buffer.from(nonce, 'base64url')).digest('base64url');
}
