import { browser } from 'wxt/browser';
import { z } from 'zod';
import type { Client } from '../../shared/client.ts';
import type { EditRequest } from '../../shared/links/edit-request.ts';
import { LINK_SORTS } from '../../shared/links/link-list.ts';
import { LINK_STATUSES } from '../../shared/links/link-status.ts';
import { isTooLong, parseOriginalUrl } from '../../shared/links/original-url.ts';
import type { ShortenRequest } from '../../shared/links/shorten-request.ts';
import { EXPORT_FORMATS } from '../../shared/links/transfer-formats.ts';
import { readTypedUrl } from '../../shared/links/url-in-text.ts';
import type { StatisticsQuery } from '../../shared/statistics.ts';
import type { LinkChange } from '../../shared/ui/links/link-source.ts';
import { formDraftSchema } from '../links/form-schema.ts';
import { listedLinkSchema } from '../links/link-schema.ts';
import {
  ACCOUNT_CHANGED,
  type AccountChanged,
  type DomainChoices,
  type MessageKind,
  type Payload,
  type Reply,
  type Settings,
  type ShortenResult,
  type ShortenTarget,
  type UrlStart,
} from '../messaging/protocol.ts';
import { watchErasing } from '../storage/erase.ts';
import { loopbackNoticeShown } from '../storage/items.ts';
import { measureStorage, unlessFull } from '../storage/quota.ts';
import { isLoopback, parseServerAddress } from '../urls/server-origin.ts';
import type { ManageLinks } from './account/manage-links.ts';
import type { ReadLinks } from './account/read-links.ts';
import { eraseData } from './data/erase.ts';
import { readPolicy } from './data/policy.ts';
import { policySchema } from './data/policy-schema.ts';
import { deleteQuarantined, listQuarantined, readQuarantined } from './data/quarantine.ts';
import { readSettings, resetSettings, saveSettings } from './data/settings.ts';
import { deleteLinks } from './links/saved-links.ts';
import { clearConfirmation, readConfirmation } from './notify/confirm-secret.ts';
import { hasNoServer } from './onboarding.ts';
import { findCompleted } from './queue/completed-requests.ts';
import { listQueued } from './queue/pending-requests.ts';
import type { Queue } from './queue/queue.ts';
import { testConnection } from './server/connection-test.ts';
import { chooseDomain, deleteDomains, readDomains, refreshDomains } from './server/domains.ts';
import { readLimits } from './server/limits.ts';
import {
  listAccounts,
  removeToken,
  replaceToken,
  restoreToken,
  revealToken,
} from './server/tokens.ts';
import { rememberServer, verifyServer } from './server/verify-server.ts';
import { deleteDraft, readDraft, saveDraft, submitDraft } from './shorten/form-drafts.ts';
import { resolvePage, resolveUrl } from './shorten/resolve-target.ts';
import {
  decideFirstStep,
  type Shorten,
  type ShortenOutcome,
  type StartOptions,
} from './shorten/shorten.ts';
import { notifyResult } from './shorten/shorten-without-popup.ts';
import { toFailure } from './to-failure.ts';
import { applyPopupSetting } from './triggers/toolbar-button.ts';

const originSchema = z.string().refine((text) => {
  const parsed = parseServerAddress(text);
  return parsed.ok && parsed.origin === text;
});
const serverSchema = z.object({ origin: originSchema });
const linkSchema = z.object({ serverOrigin: originSchema, shortUrl: z.url() });
const startContext = {
  pageTitle: z.string().optional(),
  popupId: z.string().optional(),
  requestId: z.string().optional(),
};
const tokenSchema = serverSchema.extend({ replacedAt: z.string().optional() });

const querySchema = z.object({
  words: z.string(),
  tag: z.string(),
  domain: z.string().optional(),
  status: z.enum(LINK_STATUSES).optional(),
  sort: z.enum(LINK_SORTS).optional(),
});

/** The payload of each message. The server validates the link's fields. */
const payloadSchemas: { [K in MessageKind]: z.ZodType<Payload<K>> } = {
  startPopup: z.object({
    url: z.string().optional(),
    isPrivate: z.boolean(),
    tabId: z.number().optional(),
    isLoading: z.boolean().optional(),
    isForOptions: z.boolean().optional(),
    domain: z.string().optional(),
    ...startContext,
  }),
  saveDraft: z.object({ tabId: z.number(), url: z.string(), draft: formDraftSchema.optional() }),
  startUrl: z.object({
    text: z.string(),
    isPrivate: z.boolean(),
    keepTracking: z.boolean().optional(),
    createsLink: z.boolean().optional(),
    domain: z.string().optional(),
    ...startContext,
  }),
  readConfirmation: z.object({}),
  clearConfirmation: z.object({ id: z.string() }),
  createLink: z.object({
    request: z.looseObject({ originalUrl: z.string() }) as unknown as z.ZodType<ShortenRequest>,
    isPrivate: z.boolean(),
    isSecretAccepted: z.boolean().optional(),
    reuseExisting: z.boolean().optional(),
    draftTabId: z.number().optional(),
    ...startContext,
  }),
  readTags: z.object({ serverOrigin: originSchema.optional() }),
  readLimits: z.object({ isPrivate: z.boolean() }),
  readQueue: z.object({ isPrivate: z.boolean() }),
  retryRequest: z.object({ id: z.string() }),
  discardRequest: z.object({ id: z.string() }),
  readLinks: z.object({
    serverOrigin: originSchema,
    query: querySchema,
    cursor: z.string().optional(),
  }),
  changeLinks: z.object({
    serverOrigin: originSchema,
    selection: z.union([
      z.object({ query: querySchema }),
      z.object({ aliases: z.array(z.string()) }),
    ]),
    change: z.looseObject({}) as unknown as z.ZodType<LinkChange>,
    options: z.object({ cursor: z.string().optional(), dryRun: z.boolean().optional() }),
  }),
  editLink: z.object({
    link: linkSchema,
    changes: z.looseObject({}) as unknown as z.ZodType<EditRequest>,
    ifMatch: z.string().optional(),
    draftTabId: z.number().optional(),
  }),
  deleteLink: linkSchema,
  restoreLink: z.object({ link: listedLinkSchema }),
  purgeLink: linkSchema,
  readStatistics: z.object({
    serverOrigin: z.string(),
    shortUrl: z.url().optional(),
    query: z.looseObject({}) as unknown as z.ZodType<StatisticsQuery>,
  }),
  exportLinks: z.object({ serverOrigin: originSchema, format: z.enum(EXPORT_FORMATS) }),
  importLinks: z.object({ serverOrigin: originSchema, file: z.string() }),
  readCountries: z.object({ serverOrigin: originSchema }),
  readDomains: z.object({ serverOrigin: originSchema, isFresh: z.boolean().optional() }),
  chooseDomain: z.object({ serverOrigin: originSchema, domain: z.string() }),
  readSettings: z.object({}),
  readPolicy: z.object({}),
  saveSettings: policySchema
    .omit({ server: true })
    .extend({ serverOrigin: originSchema.optional() }),
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
  links: ReadLinks;
  manage: ManageLinks;
  clientOf: (origin: string) => Client;
  isPopupOpen: (popupId: string) => boolean;
};

export function createHandlers({
  shorten,
  queue,
  links,
  manage,
  clientOf,
  isPopupOpen,
}: HandlerOptions): Handlers {
  type StartContext = Pick<Payload<'createLink'>, 'isPrivate' | 'pageTitle' | 'popupId'>;

  /** Creates a link. If the popup was closed before it could show the result, a notification does. */
  async function create(
    run: () => Promise<ShortenOutcome>,
    settings: Settings,
    { isPrivate, pageTitle: title, popupId }: StartContext,
  ): Promise<ShortenResult> {
    const outcome = await run();
    if (outcome.status === 'needsConfirmation') return { ok: false, code: 'url_has_secret' };
    if (popupId && !isPopupOpen(popupId)) {
      void notifyResult(outcome.result, settings, { isPrivate, title });
    }
    if (outcome.status !== 'queued' || !(await hasNoServer())) return outcome.result;
    return { ...outcome.result, isFirstRun: true };
  }

  /** Resolves what to show first for a URL. Creates its link if there is nothing to decide. */
  async function startUrl(
    target: ShortenTarget,
    settings: Settings,
    { requestId, ...about }: StartOptions & StartContext & { requestId?: string | undefined },
  ): Promise<UrlStart> {
    const origin = settings.serverOrigin;
    const [domains, isNoticeShown] = await Promise.all([
      chooseAmongDomains(origin, about),
      !isLoopback(origin) || loopbackNoticeShown.read(),
    ]);
    const domain = domains?.chosen;
    const options = { ...about, domain };
    const { isPrivate, pageTitle: title } = options;
    const showLoopbackNotice = !isNoticeShown;
    if (showLoopbackNotice && !isPrivate) await markLoopbackNoticeShown();
    const { first, links } = await decideFirstStep(target, origin, options, manage);
    // A popup repeats its message if the worker stopped, which may have created the link meanwhile.
    const isRepeated = requestId !== undefined && (await findCompleted(requestId)) !== undefined;
    const request = { originalUrl: target.url, ...(domain && { domain }) };
    const input = { request, isPrivate, title, requestId };
    const run = () => shorten(input, settings, { reuseExisting: !isRepeated });
    return {
      settings,
      ...(domains && { domains }),
      target,
      links,
      first:
        first.step === 'createLink' || isRepeated
          ? { step: 'showResult', result: await create(run, settings, options) }
          : first,
      ...(showLoopbackNotice && { showLoopbackNotice }),
    };
  }

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
    async startPopup({ url, isPrivate, tabId, isLoading, isForOptions = false, ...context }) {
      const settings = await readSettings();
      const [target, draft] = await Promise.all([
        resolvePage({ url, tabId, isLoading }, settings),
        readDraft(tabId, url),
      ]);
      if ('failure' in target) return { ok: true, data: { settings, ...target } };
      const editedId = draft?.linkId;
      const isForForm = isForOptions || (draft !== undefined && !editedId);
      const options = { isPrivate, isForForm, editedId, createsLink: !settings.optionsFirst };
      const start = await startUrl(target, settings, { ...options, ...context });
      return { ok: true, data: { ...start, ...(draft && { draft }) } };
    },
    async saveDraft({ tabId, url, draft }) {
      await (draft ? saveDraft(tabId, url, draft) : deleteDraft(tabId));
      return { ok: true, data: true };
    },
    async startUrl({ text, keepTracking, ...options }) {
      const settings = await readSettings();
      const typed = readTypedUrl(text);
      const parsed = parseOriginalUrl(typed);
      const url = parsed.ok ? parsed.originalUrl : typed;
      const target = resolveUrl(url, settings, { keepTracking });
      if ('failure' in target) {
        if (isTooLong(url)) return { ok: false, code: 'page_url_too_long' };
        return { ok: false, code: parsed.ok ? target.failure : 'text_not_url' };
      }
      return { ok: true, data: await startUrl(target, settings, options) };
    },
    readConfirmation: async () => ({ ok: true, data: await readConfirmation() }),
    async clearConfirmation({ id }) {
      await clearConfirmation(id);
      return { ok: true, data: true };
    },
    async createLink({
      pageTitle: title,
      draftTabId,
      isSecretAccepted,
      reuseExisting,
      ...context
    }) {
      const { isPrivate, popupId, requestId } = context;
      const { domain, ...fields } = context.request;
      const settings = await readSettings();
      const domains = await chooseAmongDomains(settings.serverOrigin, { isPrivate, domain });
      const request = { ...fields, ...(domains && { domain: domains.chosen }) };
      return create(
        () =>
          submitDraft(
            draftTabId,
            () =>
              shorten({ request, isPrivate, title, requestId }, settings, {
                reuseExisting,
                isSecretAccepted,
              }),
            ({ status }) => ['existing', 'created', 'queued'].includes(status),
          ),
        settings,
        { isPrivate, pageTitle: title, popupId },
      );
    },
    readTags: ({ serverOrigin }) => links.readTags(serverOrigin),
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
    readLinks: links.readLinks,
    changeLinks: (payload) => manage.changeLinks(payload),
    editLink: ({ link, changes, ifMatch, draftTabId }) =>
      submitDraft(
        draftTabId,
        () => manage.editLink(link, changes, ifMatch),
        ({ ok }) => ok,
      ),
    deleteLink: (link) => manage.deleteLink(link),
    restoreLink: ({ link }) => manage.restoreLink(link),
    purgeLink: (link) => manage.purgeLink(link),
    readStatistics: (payload) => manage.readStatistics(payload),
    exportLinks: (payload) => manage.exportLinks(payload),
    importLinks: (payload) => manage.importLinks(payload),
    async readCountries({ serverOrigin }) {
      const health = await clientOf(serverOrigin).health();
      return { ok: true, data: health.ok && health.data.hasCountries === true };
    },
    async readDomains({ serverOrigin, isFresh = false }) {
      const isErased = watchErasing();
      const client = clientOf(serverOrigin);
      const health = isFresh ? await client.health() : undefined;
      if (health?.ok) await rememberServer(serverOrigin, health.data, isErased);
      await refreshDomains(serverOrigin, client);
      return { ok: true, data: (await readDomains(serverOrigin)) ?? null };
    },
    async chooseDomain({ serverOrigin, domain }) {
      await chooseDomain(serverOrigin, domain);
      return { ok: true, data: true };
    },
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
  };
}

/**
 * Remembers a choice, and returns what there is to choose from. Private windows leave nothing behind. A
 * domain that was removed since the popup was opened counts as no choice.
 */
async function chooseAmongDomains(
  origin: string,
  { isPrivate, domain }: { isPrivate: boolean; domain?: string | undefined },
): Promise<DomainChoices | undefined> {
  const choices = await readDomains(origin);
  const named = choices?.domains.find(({ host }) => host === domain);
  if (!choices || !named) return choices;
  if (!isPrivate) await unlessFull(chooseDomain(origin, named.host));
  return { ...choices, chosen: named.host };
}

/** Tells the open pages that another account, or none, is in use on a server, or on all of them. */
function broadcastAccount(serverOrigin: string | undefined): void {
  const changed: AccountChanged = { kind: ACCOUNT_CHANGED, serverOrigin };
  // Rejects if no page is open.
  browser.runtime.sendMessage(changed).catch(() => {});
}

/** If storage is full, the notice is shown again next time. */
function markLoopbackNoticeShown(): Promise<void> {
  return unlessFull(loopbackNoticeShown.update(() => true));
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
