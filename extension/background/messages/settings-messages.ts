import { browser } from 'wxt/browser';
import type { Client } from '../../../shared/client.ts';
import { ACCOUNT_CHANGED, type AccountChanged, type Handlers } from '../../messaging/protocol.ts';
import { watchErasing } from '../../storage/erase.ts';
import { measureStorage } from '../../storage/quota.ts';
import type { ReadLinks } from '../account/read-links.ts';
import { eraseData } from '../data/erase.ts';
import { readPolicy } from '../data/policy.ts';
import { deleteQuarantined, listQuarantined, readQuarantined } from '../data/quarantine.ts';
import { readSettings, resetSettings, saveSettings } from '../data/settings.ts';
import { deleteLinks } from '../links/saved-links.ts';
import type { Queue } from '../queue/queue.ts';
import { testConnection } from '../server/connection-test.ts';
import { deleteDomains, refreshDomains } from '../server/domains.ts';
import {
  listAccounts,
  removeToken,
  replaceToken,
  restoreToken,
  revealToken,
} from '../server/tokens.ts';
import { verifyServer } from '../server/verify-server.ts';
import { applyPopupSetting } from '../triggers/toolbar-button.ts';

export type SettingsMessageOptions = {
  queue: Queue;
  links: ReadLinks;
  clientOf: (origin: string) => Client;
};

/** The messages of the settings: sign-in keys and stored data, too. */
export function settingsMessages({ queue, links, clientOf }: SettingsMessageOptions) {
  /** The saved links and domains are those of the account in use. */
  async function replaceLinks(origin: string): Promise<void> {
    broadcastAccount(origin);
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
    async resetSettings() {
      const settings = await resetSettings();
      await applyPopupSetting();
      return { ok: true, data: settings };
    },
    listAccounts: async () => ({ ok: true, data: await listAccounts() }),
    revealToken: async ({ origin, replacedAt }) => ({
      ok: true,
      data: (await revealToken(origin, replacedAt)) ?? null,
    }),
    async replaceToken({ origin, token }) {
      const isErased = watchErasing();
      const client = clientOf(origin);
      const known = await verifyServer(origin, client);
      if (!known.ok) return known;
      const account = await client.account(token);
      if (!account.ok) return account;
      await replaceToken(origin, token, Date.now(), isErased);
      if (isErased()) return { ok: false, code: 'extension_failed' };
      await replaceLinks(origin);
      return { ok: true, data: true };
    },
    async restoreToken({ origin, replacedAt }) {
      await restoreToken(origin, replacedAt);
      await replaceLinks(origin);
      return { ok: true, data: true };
    },
    async removeToken({ origin, replacedAt }) {
      await removeToken(origin, replacedAt);
      if (replacedAt) return { ok: true, data: true };
      await deleteLinks(origin);
      await deleteDomains(origin);
      broadcastAccount(origin);
      void refreshDomains(origin, clientOf(origin));
      return { ok: true, data: true };
    },
    readStorage: async () => ({
      ok: true,
      data: { ...(await measureStorage()), quarantined: await listQuarantined() },
    }),
    readQuarantined: async ({ id }) => ({ ok: true, data: await readQuarantined(id) }),
    async deleteQuarantined({ id }) {
      await deleteQuarantined(id);
      return { ok: true, data: true };
    },
    async eraseData() {
      await eraseData();
      broadcastAccount(undefined);
      return { ok: true, data: true };
    },
  } satisfies Partial<Handlers>;
}

/** Tells the open pages that another account, or none, is in use on a server, or on all of them. */
function broadcastAccount(serverOrigin: string | undefined): void {
  const changed: AccountChanged = { kind: ACCOUNT_CHANGED, serverOrigin };
  // Rejects if no page is open.
  browser.runtime.sendMessage(changed).catch(() => {});
}
