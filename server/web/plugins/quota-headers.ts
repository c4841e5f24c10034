import type { FastifyReply } from 'fastify';
import type { Caller } from '../../accounts/caller.ts';
import { monthlyQuotaOf, secondsToNextMonth } from '../../accounts/quota.ts';
import type { Service } from '../../dependencies.ts';

/** Sets `X-Quota-*`, unless there is no quota. */
export function setQuotaHeaders(
  reply: FastifyReply,
  { settings, clock }: Service,
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

/** Counts the account's links first; for the errors of routes that create links. */
export async function setQuotaHeadersOf(
  /** Unset if the error came early. */
  caller: Caller | undefined,
  reply: FastifyReply,
  service: Service,
): Promise<void> {
  if (caller?.kind !== 'account') return;
  const { month } = await service.store.countLinks(caller.account.id, service.clock());
  setQuotaHeaders(reply, service, caller, month);
}
