import type { Client, Limits } from '../../../shared/client.ts';
import { findToken } from './tokens.ts';

/** The remaining limits of the account; empty without an account, or if the server does not respond. */
export async function readLimits(
  origin: string,
  client: Client,
  isPrivate: boolean,
  nowMs = Date.now(),
): Promise<Limits> {
  const token = await findToken(origin, isPrivate);
  if (!token) return {};
  const account = await client.account(token);
  if (!account.ok) return {};
  const { rate, quota } = account.data;
  const { limit, remaining } = quota;
  if (limit === null || remaining === null) return { rate };
  const resetsInSeconds = Math.ceil((Date.parse(quota.resetsAt) - nowMs) / 1000);
  return { rate, quota: { limit, remaining, resetsInSeconds } };
}
