import { signal } from '@preact/signals';
import type { Domain } from '../../../../shared/domains.ts';
import { type FailureText, failureText } from '../../../../shared/i18n/failure-text.ts';
import type { Dashboard } from '../../app/dashboard.ts';

export type DomainState = ReturnType<typeof createDomainState>;

/** The domains that the account may use, and the one of its new links. */
export function createDomainState({ api, origin }: Pick<Dashboard, 'api' | 'origin'>) {
  const domains = signal<Domain[]>([]);
  const failure = signal<FailureText | undefined>(undefined);
  const isSaved = signal(false);

  async function refresh(): Promise<void> {
    const result = await api.call((client, token) => client.listDomains(token));
    failure.value = result.ok ? undefined : failureText(result, origin);
    if (result.ok) domains.value = result.data;
  }

  async function choose(domain: string): Promise<void> {
    isSaved.value = false;
    const result = await api.call((client, token) => client.editAccount(token, { domain }));
    if (result.ok) await refresh();
    else failure.value = failureText(result, origin);
    isSaved.value = result.ok;
  }

  return { domains, failure, isSaved, refresh, choose };
}
