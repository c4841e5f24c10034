import type { Client } from '../../../shared/client.ts';
import { isTooLong, parseOriginalUrl } from '../../../shared/links/original-url.ts';
import { readTypedUrl } from '../../../shared/links/url-in-text.ts';
import {
  type CreatedLink,
  type DomainChoices,
  done,
  type Handlers,
  type Payload,
  type Result,
  type Settings,
  type ShortenTarget,
  type UrlStart,
} from '../../messaging/protocol.ts';
import { loopbackNoticeShown, pendingConfirmation } from '../../storage/items.ts';
import { isLoopback } from '../../urls/server-origin.ts';
import { readDomains } from '../account/account-domains.ts';
import { readLimits } from '../account/servers.ts';
import { readSettings } from '../data/settings.ts';
import type { LinkCaller } from '../links/call-links.ts';
import { clearConfirmation } from '../notify/confirm-secret.ts';
import { hasNoServer } from '../onboarding.ts';
import { listQueued } from '../queue/pending-requests.ts';
import { findCompleted, type Queue } from '../queue/queue.ts';
import { deleteDraft, readDraft, saveDraft, startSubmit } from '../shorten/form-drafts.ts';
import { resolvePage, resolveUrl } from '../shorten/resolve-target.ts';
import {
  decideFirstStep,
  type Shorten,
  type ShortenOutcome,
  type StartOptions,
} from '../shorten/shorten.ts';
import { notifyResult } from '../shorten/shorten-without-popup.ts';

export type ShortenMessageOptions = {
  shorten: Shorten;
  queue: Queue;
  caller: LinkCaller;
  clientOf: (origin: string) => Client;
  isPopupOpen: (popupId: string) => boolean;
};

/** Handles the messages of the popup: what to show first, new links, and the queue. */
export function shortenMessages({
  shorten,
  queue,
  caller,
  clientOf,
  isPopupOpen,
}: ShortenMessageOptions) {
  type StartContext = Pick<Payload<'createLink'>, 'isPrivate' | 'pageTitle' | 'popupId'>;

  /** Creates a link. If the popup was closed before it could show the result, a notification does. */
  async function create(
    run: () => Promise<ShortenOutcome>,
    settings: Settings,
    { isPrivate, pageTitle: title, popupId }: StartContext,
  ): Promise<Result<CreatedLink>> {
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
      readChoices(origin, about.domain),
      !isLoopback(origin) || loopbackNoticeShown.read(),
    ]);
    const domain = domains?.chosen;
    const options = { ...about, domain };
    const { isPrivate, pageTitle: title } = options;
    const showLoopbackNotice = !isNoticeShown;
    if (showLoopbackNotice && !isPrivate) await loopbackNoticeShown.updateIfPossible(() => true);
    const { first, links } = await decideFirstStep(target, origin, options, caller);
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
    saveDraft: ({ tabId, url, draft }) =>
      done(draft ? saveDraft(tabId, url, draft) : deleteDraft(tabId)),
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
    readConfirmation: async () => ({ ok: true, data: await pendingConfirmation.read() }),
    clearConfirmation: ({ id }) => done(clearConfirmation(id)),
    async createLink({
      pageTitle: title,
      draftTabId,
      isFromForm,
      isSecretAccepted,
      reuseExisting,
      ...context
    }) {
      const { isPrivate, popupId, requestId } = context;
      const { domain, ...fields } = context.request;
      const settings = await readSettings();
      const domains = await readChoices(settings.serverOrigin, domain);
      const request = { ...fields, ...(domains && { domain: domains.chosen }) };
      const input = { request, isPrivate, title, requestId };
      const policy = { isFromForm, reuseExisting, isSecretAccepted };
      const run = async () => {
        const endSubmit = await startSubmit(draftTabId);
        const outcome = await shorten(input, settings, policy);
        if (['existing', 'created', 'queued'].includes(outcome.status)) await endSubmit();
        return outcome;
      };
      return create(run, settings, { isPrivate, pageTitle: title, popupId });
    },
    async readLimits({ isPrivate }) {
      const { serverOrigin } = await readSettings();
      return { ok: true, data: await readLimits(serverOrigin, clientOf(serverOrigin), isPrivate) };
    },
    readQueue: async ({ isPrivate }) => ({ ok: true, data: await listQueued(isPrivate) }),
    retryRequest: ({ id }) => queue.retry(id),
    discardRequest: ({ id }) => done(queue.discard(id)),
  } satisfies Partial<Handlers>;
}

/**
 * What there is to choose from, with the host that a page names. The settings alone choose for later links. A
 * domain that was removed since the popup was opened counts as no choice.
 */
async function readChoices(origin: string, host?: string): Promise<DomainChoices | undefined> {
  const choices = await readDomains(origin);
  const isKnown = choices?.domains.some((domain) => domain.host === host);
  return choices && host !== undefined && isKnown ? { ...choices, chosen: host } : choices;
}
