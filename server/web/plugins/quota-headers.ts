import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../accounts/caller.ts';
import { monthlyQuotaOf, secondsToNextMonth } from '../../accounts/quota.ts';
import type { Settings } from '../../config.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Store } from '../../store/store.ts';

export type QuotaHeaderDependencies = {
  settings: Pick<Settings, 'monthlyQuota'>;
  store: Pick<Store, 'countLinks'>;
  clock: Clock;
};

/** For the API reference. */
export const QUOTA_HEADERS = {
  'X-Quota-Limit': 'Links per month, unless unlimited.',
  'X-Quota-Remaining': 'Links left this month, unless unlimited.',
  'X-Quota-Reset': 'Seconds until the quota resets, unless unlimited.',
};

/** Sets `X-Quota-*`, unless there is no quota. */
export function setQuotaHeaders(
  reply: FastifyReply,
  { settings, clock }: QuotaHeaderDependencies,
  caller: Caller | undefined,
  usedInMonth: number,
): void {
  const monthlyQuota =
    caller?.kind === 'account' ? monthlyQuotaOf(caller.account, settings) : settings.monthlyQuota;
  if (monthlyQuota === Number.POSITIVE_INFINITY) return;
  reply.header('x-quota-limit', monthlyQuota);
  reply.header('x-quota-remaining', Math.max(0, monthlyQuota - usedInMonth));
  reply.header('x-quota-reset', secondsToNextMonth(clock()));
}

/** The error handler of routes that create links. */
export function quotaHeadersOnErrors(dependencies: QuotaHeaderDependencies) {
  return async (error: Error, request: FastifyRequest, reply: FastifyReply): Promise<never> => {
    await setQuotaHeadersOf(request.caller, reply, dependencies);
    // Handled by the app's error handler.
    throw error;
  };
}

/** Counts the account's links first. */
export async function setQuotaHeadersOf(
  /** Unset if the error came early. */
  caller: Caller | undefined,
  reply: FastifyReply,
  dependencies: QuotaHeaderDependencies,
): Promise<void> {
  if (caller?.kind !== 'account') return;
  const { month } = await dependencies.store.countLinks(caller.account.id, dependencies.clock());
  setQuotaHeaders(reply, dependencies, caller, month);
}
