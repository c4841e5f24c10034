import { createCalls } from '../../api/calls.ts';
import type { Session } from '../../session/session.ts';

export type AdminApi = ReturnType<typeof createAdminApi>;

/** Creates the API as the administrator's pages see it: the only part that uses the network. */
export function createAdminApi(session: Session, baseUrl: string) {
  return createCalls(session, async () => {
    const { newAdminClient } = await import('./load-admin-client.ts');
    return (token) => newAdminClient({ baseUrl, token });
  });
}
