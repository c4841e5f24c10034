import type { Dashboard } from '../app/dashboard.ts';

/**
 * Learns whose token it is, before something is half-written that is for this account alone. An account is told apart
 * by when it was created.
 */
export async function learnAccount({ api, session }: Pick<Dashboard, 'api' | 'session'>) {
  if (session.account() !== '') return;
  const token = session.token.value;
  const result = await api.call((client) => client.getAccount());
  if (result.ok && session.token.value === token) session.knowAccount(result.data.created);
}
