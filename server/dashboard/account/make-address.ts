import type { SignInCodeResponse } from '../../../shared/accounts/sign-in-codes.ts';
import type { Result } from '../../../shared/client.ts';
import { type FailureWithText, failureText } from '../../../shared/i18n/failure-text.ts';
import { newClient } from '../api/load-client.ts';

/** Makes an address that signs in to the account of a token, once. */
export async function makeAddress(
  origin: string,
  token: string,
): Promise<Result<SignInCodeResponse['data'], FailureWithText>> {
  const made = await newClient({ baseUrl: origin, token }).createSignInCode();
  return made.ok ? made : { ...made, ...failureText(made, origin) };
}
