import { browser } from 'wxt/browser';
import { z } from 'zod';
import type { Client } from '../../shared/client.ts';
import type { EditRequest } from '../../shared/links/edit-request.ts';
import { parseOriginalUrl } from '../../shared/links/original-url.ts';
import type { ShortenRequest } from '../../shared/links/shorten-request.ts';
import type { StatisticsQuery } from '../../shared/statistics.ts';
import { isTooLong } from '../address/parse-typed-url.ts';
import { isLoopback, parseServerAddress } from '../address/server-origin.ts';
import { COPY_FORMATS } from '../links/copy-format.ts';
import { formDraftSchema } from '../links/form-schema.ts';
import { listedLinkSchema } from '../links/link-schema.ts';
import type {
  MessageKind,
  Payload,
  Reply,
  Settings,
  ShortenTarget,
  UrlStart,
} from '../messaging/protocol.ts';
import { droppedLinksCount, loopbackNoticeShown } from '../storage/items.ts';
import { measureStorage, QuotaExceededError } from '../storage/quota.ts';
import type { ManageLinks } from './account/manage-links.ts';
import { lastSyncs, type Sync } from './account/sync.ts';
import { eraseData } from './data/erase.ts';
import { readPolicy } from './data/policy.ts';
import { deleteQuarantined, listQuarantined, readQuarantined } from './data/quarantine.ts';
import { readSettings, resetSettings, saveSettings } from './data/settings.ts';
import { addLinks, listLinks, removeLink, restoreLink } from './links/link-list.ts';
import { broadcastImportProgress } from './notify/broadcast-links.ts';
import { clearConfirmation, readConfirmation } from './notify/confirm-secret.ts';
import { hasNoServer } from './onboarding.ts';
import { listQueued } from './queue/pending-requests.ts';
import type { Queue } from './queue/queue.ts';
import { testConnection } from './server/connection-test.ts';
import { readLimits } from './server/limits.ts';
import {
  listAccounts,
  removeToken,
  replaceToken,
  restoreToken,
  revealToken,
} from './server/tokens.ts';
import { verifyServer } from './server/verify-server.ts';
import { readDraft, saveDraft, submitDraft } from './shorten/form-drafts.ts';
import { resolvePage, resolveUrl } from './shorten/resolve-target.ts';
import { decideFirstStep, type Shorten, type StartOptions } from './shorten/shorten.ts';
import { notifyResult } from './shorten/shorten-without-popup.ts';
import { toFailure } from './to-failure.ts';
import { applyPopupSetting } from './triggers/toolbar-button.ts';

const originSchema = z.string().refine((text) => {
  const parsed = parseServerAddress(text);
  return parsed.ok && parsed.origin === text;
});
const serverSchema = z.object({ origin: originSchema });
const linkSchema = z.object({
  serverOrigin: originSchema,
  requestedUrl: z.string(),
  shortUrl: z.url(),
});
const tokenSchema = serverSchema.extend({ replacedAt: z.string().optional() });

/** The payload of each message. The server validates the link's fields. */
const payloadSchemas: { [K in MessageKind]: z.ZodType<Payload<K>> } = {
  startPopup: z.object({
    url: z.string().optional(),
    isPrivate: z.boolean(),
    tabId: z.number().optional(),
    isForOptions: z.boolean().optional(),
  }),
  saveDraft: z.object({ tabId: z.number(), url: z.string(), draft: formDraftSchema }),
  startUrl: z.object({
    text: z.string(),
    isPrivate: z.boolean(),
    keepTracking: z.boolean().optional(),
  }),
  readConfirmation: z.object({}),
  clearConfirmation: z.object({ id: z.string() }),
  createLink: z.object({
    request: z.looseObject({ originalUrl: z.string() }) as unknown as z.ZodType<ShortenRequest>,
    isPrivate: z.boolean(),
    pageTitle: z.string(),
    isSecretAccepted: z.boolean().optional(),
    reuseExisting: z.boolean().optional(),
    draftTabId: z.number().optional(),
    popupId: z.string().optional(),
    requestId: z.string().optional(),
  }),
  readLimits: z.object({ isPrivate: z.boolean() }),
  readQueue: z.object({ isPrivate: z.boolean() }),
  retryRequest: z.object({ id: z.string() }),
  discardRequest: z.object({ id: z.string() }),
  readLinks: z.object({}),
  syncLinks: z.object({}),
  removeLink: z.object({
    serverOrigin: z.string(),
    requestedUrl: z.string(),
    shortUrl: z.string(),
  }),
  editLink: z.object({
    link: linkSchema,
    changes: z.looseObject({}) as unknown as z.ZodType<EditRequest>,
    ifMatch: z.string().optional(),
  }),
  deleteLink: linkSchema,
  undeleteLink: z.object({ link: listedLinkSchema }),
  purgeLink: linkSchema,
  readDeletedLinks: z.object({}),
  readStatistics: z.object({
    serverOrigin: z.string(),
    shortUrl: z.url().optional(),
    query: z.looseObject({}) as unknown as z.ZodType<StatisticsQuery>,
  }),
  restoreLink: z.object({ link: listedLinkSchema }),
  addLinks: z.object({ links: z.array(listedLinkSchema) }),
  readSettings: z.object({}),
  readPolicy: z.object({}),
  saveSettings: z.object({
    serverOrigin: originSchema.optional(),
    shortenAtOnce: z.boolean().optional(),
    skipPopup: z.boolean().optional(),
    copyAtOnce: z.boolean().optional(),
    copyFormat: z.enum(COPY_FORMATS).optional(),
    stripTracking: z.boolean().optional(),
    warnAboutSecrets: z.boolean().optional(),
    preferCanonical: z.boolean().optional(),
  }),
  testConnection: serverSchema,
  resetSettings: z.object({}),
  listAccounts: z.object({}),
  revealToken: tokenSchema,
  replaceToken: z.object({ origin: originSchema, token: z.string() }),
  restoreToken: tokenSchema.required(),
  removeToken: tokenSchema,
  readStorage: z.object({}),
  readQuarantined: z.object({ id: z.string() }),
  deleteQuarantined: z.object({ id: z.string() }),
  eraseData: z.object({}),
};

export type Handlers = { [K in MessageKind]: (payload: Payload<K>) => Promise<Reply<K>> };

export type HandlerOptions = {
  shorten: Shorten;
  queue: Queue;
  sync: Sync;
  manage: ManageLinks;
  clientOf: (origin: string) => Client;
  isPopupOpen: (popupId: string) => boolean;
};

export function createHandlers({
  shorten,
  queue,
  sync,
  manage,
  clientOf,
  isPopupOpen,
}: HandlerOptions): Handlers {
  return {
    async startPopup({ url, isPrivate, tabId, isForOptions = false }) {
      const settings = await readSettings();
      const [target, draft] = await Promise.all([
        resolvePage(url, tabId, settings),
        readDraft(tabId, url),
      ]);
      if ('failure' in target) return { ok: true, data: { settings, ...target } };
      const { shortenAtOnce } = settings;
      const isForForm = isForOptions || draft !== undefined;
      const options = { isPrivate, isForForm, shortenAtOnce };
      const start = await startUrl(target, settings, options, manage);
      return { ok: true, data: { ...start, ...(draft && { draft }) } };
    },
    async saveDraft({ tabId, url, draft }) {
      await saveDraft(tabId, url, draft);
      return { ok: true, data: true };
    },
    async startUrl({ text, isPrivate, keepTracking }) {
      const settings = await readSettings();
      const parsed = parseOriginalUrl(text);
      const url = parsed.ok ? parsed.originalUrl : text.trim();
      const target = resolveUrl(url, settings, { keepTracking });
      if ('failure' in target) {
        if (isTooLong(url)) return { ok: false, code: 'page_url_too_long' };
        return { ok: false, code: parsed.ok ? target.failure : 'text_not_url' };
      }
      return { ok: true, data: await startUrl(target, settings, { isPrivate }, manage) };
    },
    readConfirmation: async () => ({ ok: true, data: await readConfirmation() }),
    async clearConfirmation({ id }) {
      await clearConfirmation(id);
      return { ok: true, data: true };
    },
    async createLink({ pageTitle: title, popupId, draftTabId, ...payload }) {
      const { isSecretAccepted, reuseExisting, ...input } = payload;
      const { isPrivate } = input;
      const settings = await readSettings();
      const policy = { reuseExisting, isSecretAccepted };
      const outcome = await submitDraft(draftTabId, () =>
        shorten({ ...input, title }, settings, policy),
      );
      if (outcome.status === 'needsConfirmation') return { ok: false, code: 'url_has_secret' };
      // The popup was closed before it could show the result.
      if (popupId && !isPopupOpen(popupId)) {
        void notifyResult(outcome.result, settings, { isPrivate, title });
      }
      if (outcome.status !== 'queued' || !(await hasNoServer())) return outcome.result;
      return { ...outcome.result, isFirstRun: true };
    },
    async readLimits({ isPrivate }) {
      const { serverOrigin } = await readSettings();
      return { ok: true, data: await readLimits(serverOrigin, clientOf(serverOrigin), isPrivate) };
    },
    readQueue: async ({ isPrivate }) => ({ ok: true, data: await listQueued(isPrivate) }),
    retryRequest: ({ id }) => queue.retry(id),
    async discardRequest({ id }) {
      await queue.discard(id);
      return { ok: true, data: true };
    },
    async readLinks() {
      const [links, droppedCount, { copyFormat }, synced] = await Promise.all([
        listLinks(),
        droppedLinksCount.read(),
        readSettings(),
        lastSyncs(),
      ]);
      return { ok: true, data: { links, droppedCount, copyFormat, synced } };
    },
    syncLinks: async () => ({ ok: true, data: await sync.syncAll() }),
    editLink: ({ link, changes, ifMatch }) => manage.editLink(link, changes, ifMatch),
    deleteLink: (link) => manage.deleteLink(link),
    undeleteLink: ({ link }) => manage.undeleteLink(link),
    purgeLink: (link) => manage.purgeLink(link),
    readDeletedLinks: () => manage.readDeleted(),
    readStatistics: (payload) => manage.readStatistics(payload),
    async removeLink(link) {
      await removeLink(link);
      return { ok: true, data: true };
    },
    async restoreLink({ link }) {
      await restoreLink(link);
      return { ok: true, data: true };
    },
    addLinks: async ({ links }) => ({
      ok: true,
      data: await addLinks(links, broadcastImportProgress),
    }),
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
      return { ok: true, data: await testConnection(origin, clientOf(origin)) };
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
      const client = clientOf(origin);
      const known = await verifyServer(origin, client);
      if (!known.ok) return known;
      const account = await client.account(token);
      if (!account.ok) return account;
      await replaceToken(origin, token);
      // The previous account may have reached a limit that this one has not.
      void queue.retryAll('all');
      return { ok: true, data: true };
    },
    async restoreToken({ origin, replacedAt }) {
      await restoreToken(origin, replacedAt);
      return { ok: true, data: true };
    },
    async removeToken({ origin, replacedAt }) {
      await removeToken(origin, replacedAt);
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
      return { ok: true, data: true };
    },
  };
}

async function startUrl(
  target: ShortenTarget,
  settings: Settings,
  options: StartOptions,
  manage: ManageLinks,
): Promise<UrlStart> {
  const origin = settings.serverOrigin;
  const [start, isShown] = await Promise.all([
    decideFirstStep(target, origin, options, manage),
    loopbackNoticeShown.read(),
  ]);
  const showLoopbackNotice = isLoopback(origin) && !isShown;
  if (showLoopbackNotice && !options.isPrivate) await markLoopbackNoticeShown();
  return { settings, target, ...start, ...(showLoopbackNotice && { showLoopbackNotice }) };
}

/** If storage is full, the notice is shown again next time. That must not prevent a link. */
async function markLoopbackNoticeShown(): Promise<void> {
  try {
    await loopbackNoticeShown.update(() => true);
  } catch (error) {
    if (!(error instanceof QuotaExceededError)) throw error;
  }
}

/** Call synchronously at startup: a listener added later misses the message that woke the worker. */
export function handleMessages(handlers: Handlers): void {
  browser.runtime.onMessage.addListener(
    (message: { kind?: unknown; payload?: unknown } | undefined) => {
      const kind = message?.kind as MessageKind;
      // Leave messages for others, such as the offscreen document, unhandled.
      if (!Object.hasOwn(handlers, kind)) return undefined;
      return answer(handlers, kind, message?.payload);
    },
  );
}

async function answer<K extends MessageKind>(
  handlers: Handlers,
  kind: K,
  payload: unknown,
): Promise<Reply<K>> {
  try {
    return await handlers[kind](payloadSchemas[kind].parse(payload));
  } catch (error) {
    return toFailure(error) as Reply<K>;
  }
}
