import { codeOf } from '../../../shared/accounts/token-text.ts';
import { browserName } from '../../../shared/browser-name.ts';
import type { Client, Result } from '../../../shared/client.ts';
import { done, type Handlers } from '../../messaging/protocol.ts';
import { eraseStorage, watchErasing } from '../../storage/items.ts';
import { deleteDomains, refreshDomains } from '../account/account-domains.ts';
import { rememberServer, testConnection, verifyServer } from '../account/servers.ts';
import {
  listServers,
  removeToken,
  replaceToken,
  restoreToken,
  revealToken,
} from '../account/tokens.ts';
import { deleteQuarantined, listQuarantined, readQuarantined } from '../data/quarantine.ts';
import { deleteLinks } from '../data/saved-links.ts';
import { readPolicy, readSettings, saveSettings } from '../data/settings.ts';
import type { ReadLinks } from '../links/read-links.ts';
import { broadcast } from '../open-pages.ts';
import { moveServer } from '../queue/move-server.ts';
import { planRetries } from '../queue/pending-requests.ts';
import type { Queue } from '../queue/queue.ts';
import { applyPopupSetting } from '../triggers/toolbar-button.ts';

export type SettingsMessageOptions = {
  queue: Queue;
  links: ReadLinks;
  clientOf: (origin: string) => Client;
};

/** Handles the messages of the settings: sign-in keys and stored data, too. */
export function settingsMessages({ queue, links, clientOf }: SettingsMessageOptions) {
  /** The saved links and domains are those of the account in use. */
  async function replaceLinks(origin: string): Promise<void> {
    broadcast({ kind: 'accountChanged', serverOrigin: origin });
    await deleteLinks(origin);
    void refreshDomains(origin, clientOf(origin));
    void links.saveNewest(origin);
    // The previous account may have reached a limit that this one has not.
    void queue.retryAll('all');
  }

  return {
    readSettings: async () => ({ ok: true, data: await readSettings() }),
    async readPolicy() {
      const { fixed, invalid } = await readPolicy();
      return { ok: true, data: { fixed, invalid } };
    },
    async saveSettings(changed) {
      const settings = await saveSettings(changed);
      await applyPopupSetting();
      return { ok: true, data: settings };
    },
    async testConnection({ origin }) {
      return { ok: true, data: await testConnection(origin, clientOf) };
    },
    async moveServer({ from, to }) {
      const client = clientOf(to);
      const health = await client.getHealth();
      if (!health.ok) return health;
      const isErased = watchErasing();
      if (!(await moveServer(from, to, { health: health.data, client, nowMs: Date.now() }))) {
        return { ok: false, code: 'other_server' };
      }
      await rememberServer(to, health.data, isErased);
      const { serverOrigin } = await readSettings();
      const settings = await saveSettings(serverOrigin === from ? { serverOrigin: to } : {});
      for (const origin of [from, to]) broadcast({ kind: 'accountChanged', serverOrigin: origin });
      void refreshDomains(to, client);
      void links.saveNewest(to);
      void queue.retryAll('all');
      return { ok: true, data: settings };
    },
    listServers: async () => ({ ok: true, data: await listServers() }),
    revealToken: async ({ origin, replacedAt }) => ({
      ok: true,
      data: (await revealToken(origin, replacedAt)) ?? null,
    }),
    async replaceToken({ origin, token: entered }) {
      const isErased = watchErasing();
      const client = clientOf(origin);
      const known = await verifyServer(origin, clientOf);
      if (!known.ok) return known;
      const found = await findToken(client, entered);
      if (!found.ok) return found;
      const token = found.data;
      await replaceToken(origin, token, Date.now(), isErased);
      if (isErased()) return { ok: false, code: 'extension_failed' };
      return done(replaceLinks(origin));
    },
    async restoreToken({ origin, replacedAt }) {
      await restoreToken(origin, replacedAt);
      return done(replaceLinks(origin));
    },
    async removeToken({ origin, replacedAt }) {
      await removeToken(origin, replacedAt);
      if (replacedAt) return { ok: true, data: true };
      await deleteLinks(origin);
      await deleteDomains(origin);
      broadcast({ kind: 'accountChanged', serverOrigin: origin });
      void refreshDomains(origin, clientOf(origin));
      return { ok: true, data: true };
    },
    listQuarantined: async () => ({ ok: true, data: await listQuarantined() }),
    readQuarantined: async ({ id }) => ({ ok: true, data: await readQuarantined(id) }),
    deleteQuarantined: ({ id }) => done(deleteQuarantined(id)),
    async eraseData() {
      await eraseData();
      broadcast({ kind: 'accountChanged', serverOrigin: undefined });
      return { ok: true, data: true };
    },
  } satisfies Partial<Handlers>;
}

/** Deletes tokens, links, pending requests and quarantined values, but not the settings. */
export async function eraseData(): Promise<void> {
  await eraseStorage();
  // Clears the alarm.
  await planRetries();
}

/** Returns the token if the server knows it, or the new one that it gives for a code. */
async function findToken(client: Client, entered: string): Promise<Result<string>> {
  const code = codeOf(entered);
  if (code !== undefined) {
    const made = await client.redeemSignInCode({
      body: { code, name: browserName(navigator.userAgent) },
    });
    return made.ok ? { ok: true, data: made.data.token } : made;
  }
  const account = await client.getAccount({ token: entered });
  return account.ok ? { ok: true, data: entered } : account;
}
