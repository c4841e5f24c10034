import type { SignInCodeResponse } from '../../../shared/accounts/sign-in-codes.ts';
import { type FailureText, failureText } from '../../../shared/i18n/failure-text.ts';
import { newClient } from '../api/load-client.ts';

type Made = { ok: true; data: SignInCodeResponse['data'] } | { ok: false; failure: FailureText };

/** Makes an address that signs in to the account of a token, once. */
export async function makeAddress(origin: string, token: string): Promise<Made> {
  const made = await newClient({ baseUrl: origin }).createSignInCode(token);
  return made.ok ? made : { ok: false, failure: failureText(made, origin) };
}
