import type { Client, Limits } from '../../../shared/client.ts';
import { findToken } from './tokens.ts';

/** What the account on a server has left; nothing where there is none, or where it does not say. */
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
