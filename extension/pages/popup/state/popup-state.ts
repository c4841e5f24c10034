import { computed, signal } from '@preact/signals';
import type { Limits } from '../../../../shared/client.ts';
import type { ShortenRequest } from '../../../../shared/shorten-request.ts';
import { formatCopy } from '../../../links/copy-format.ts';
import type { LinkSummary } from '../../../links/link.ts';
import type {
  Failure,
  QueuedRequest,
  Send,
  Settings,
  ShortenResult,
} from '../../../messaging/protocol.ts';
import type { FieldIssues, FormFields } from './form-fields.ts';
import type { Explained, Subject, TabPage, View } from './view.ts';

export type PopupTools = {
  /** Of the port that the popup holds. */
  popupId: string;
  send: Send;
  /** @returns whether the text is in the clipboard */
  copy(text: string): Promise<boolean>;
};
export type PopupState = ReturnType<typeof createPopupState>;

/** From here on a spinner alone says too little. */
const SLOW_MS = 3000;

/** All that the popup shows and does; its components only draw it. */
export function createPopupState(
  /** A promise, so that a frame can be drawn before the browser has told. */
  page: Promise<TabPage>,
  { popupId, send, copy }: PopupTools,
  /** Opened for the form: nothing is made before it is sent. */
  { isForOptions = false } = {},
) {
  const view = signal<View>({ name: 'working' });
  const settings = signal<Settings | undefined>(undefined);
  const showLoopbackNotice = signal(false);
  /** As the last answer told them. */
  const limits = signal<Limits | undefined>(undefined);
  /** Once what waits has been looked up. */
  const waiting = signal<QueuedRequest[]>([]);
  /** What was written in the form; nothing yet, and it has the subject's title. */
  const fields = signal<FormFields | undefined>(undefined);
  const issues = signal<FieldIssues>({});
  const formFailure = signal<Failure | undefined>(undefined);
  const isFormOpen = signal(isForOptions);
  const isSubmitting = signal(false);
  /** Of a request for a link that has not been answered for a while. */
  const slowRequestId = signal<string | undefined>(undefined);
  const isSlow = computed(() => slowRequestId.value !== undefined);

  /** What the popup is about: the tab's page, until another address is written. */
  const subject = signal<Subject>({ url: '', title: '' });
  /** What the subject's page has, newest first, with those made since the popup was opened. */
  const links = signal<LinkSummary[]>([]);
  /** Without the one that is shown. */
  const otherLinks = computed(() => {
    const shown = view.value;
    if (shown.name !== 'link') return links.value;
    return links.value.filter(({ shortUrl }) => shortUrl !== shown.link.shortUrl);
  });
  const address = signal('');
  const urlFailure = signal<Explained | undefined>(undefined);

  let pageSubject = subject.value;
  async function ask(request: ShortenRequest, reuseExisting = false): Promise<ShortenResult> {
    const { title: pageTitle, isSecretAccepted } = subject.value;
    const { isPrivate } = await page;
    const requestId = crypto.randomUUID();
    const pending = {
      request,
      isPrivate,
      pageTitle,
      isSecretAccepted,
      reuseExisting,
      popupId,
      requestId,
    };
    const timer = setTimeout(() => {
      slowRequestId.value = requestId;
    }, SLOW_MS);
    const answer = await send('createLink', pending);
    clearTimeout(timer);
    // Another request may be under way by now.
    if (slowRequestId.value === requestId) slowRequestId.value = undefined;
    return answer;
  }

  async function start(): Promise<void> {
    view.value = { name: 'working' };
    const tab = await page;
    changePage({ url: tab.url ?? '', title: tab.title });
    const answer = await send('startPopup', tab);
    if (answer.ok) takeOver(answer.data);
    if (subject.value !== pageSubject) return;
    if (!answer.ok) return refuse(answer);
    const { existing, failure, plan } = answer.data;
    if (plan) changePage({ url: plan.url, plan });
    links.value = answer.data.links ?? [];
    if (failure) await refuse({ ok: false, code: failure });
    else if (existing) await showLink(existing, { isExisting: true });
    else if (plan?.siteShortLink && !isForOptions)
      await showLink(plan.siteShortLink, { isPagesOwn: true });
    else if (answer.data.settings.shortenAtOnce && !isForOptions) await shorten();
    else if (maySend(isForOptions ? getReady : shorten)) await getReady();
  }

  async function refuse(
    failure: Failure,
    again: () => Promise<void> = shorten,
    afterDrop: () => void = getReady,
  ): Promise<void> {
    const about = subject.value;
    if (failure.limits) limits.value = failure.limits;
    const { queued, ...shown } = await explained(failure);
    if (subject.value !== about) return;
    view.value = queued
      ? { name: 'queued', failure: { ...shown, queued }, again, afterDrop }
      : { name: 'failed', failure: shown };
    if (failure.status === 429 && !(limits.value?.rate && limits.value.quota)) await readLimits();
  }

  /** Where a refusal alone did not tell. */
  async function readLimits(): Promise<void> {
    const answer = await send('readLimits', { isPrivate: (await page).isPrivate });
    if (answer.ok) limits.value = { ...limits.value, ...answer.data };
  }

  async function explained(failure: Failure): Promise<Explained> {
    // Most popups need no words for what went wrong.
    const { errorText } = await import('../../../i18n/error-text.ts');
    return { ...failure, words: errorText(failure, settings.value?.serverOrigin) };
  }

  function changePage(change: Partial<Subject>): void {
    const changed = { ...pageSubject, ...change };
    if (subject.value === pageSubject) subject.value = changed;
    pageSubject = changed;
  }

  async function getReady(): Promise<void> {
    view.value = { name: 'ready' };
  }

  /** Asks first where the address carries a secret. @returns whether there is nothing to ask */
  function maySend(goOn: () => Promise<void>): boolean {
    if (!subject.value.plan?.warning || subject.value.isSecretAccepted) return true;
    const before = view.value;
    const isShown = before.name === 'link' || before.name === 'ready';
    const goBack = () => {
      view.value = before;
    };
    view.value = { name: 'secret', before, goOn, ...(isShown && { goBack }) };
    return false;
  }

  async function acceptSecret(): Promise<void> {
    const asked = view.value;
    if (asked.name !== 'secret') return;
    if (subject.value === pageSubject) changePage({ isSecretAccepted: true });
    else subject.value = { ...subject.value, isSecretAccepted: true };
    view.value = asked.before;
    await asked.goOn();
  }

  function takeOver(start: { settings: Settings; showLoopbackNotice?: true }): void {
    settings.value = start.settings;
    // Stays for as long as the popup is open, though a second start is no news.
    if (start.showLoopbackNotice) showLoopbackNotice.value = true;
  }

  /** Shortens the subject as it is. */
  function shorten(): Promise<void> {
    return make(shorten, true);
  }

  /** The same, though it has a link. */
  function makeNew(): Promise<void> {
    return make(makeNew, false);
  }

  async function make(again: () => Promise<void>, reuseExisting: boolean): Promise<void> {
    if (!maySend(again)) return;
    const about = subject.value;
    view.value = { name: 'working' };
    const answer = await ask({ originalUrl: about.url }, reuseExisting);
    // Meanwhile another address may have been written.
    if (subject.value !== about) return;
    if (answer.ok) await showResult(answer);
    else await refuse(answer, again);
  }

  function showResult(
    answer: Extract<ShortenResult, { ok: true }>,
    { copies = true } = {},
  ): Promise<void> {
    limits.value = answer.limits;
    const others = links.value.filter(({ shortUrl }) => shortUrl !== answer.data.shortUrl);
    links.value = [answer.data, ...others];
    return showLink(answer.data, { isNotSaved: answer.notSaved !== undefined, copies });
  }

  async function tryAgain(): Promise<void> {
    await (subject.value === pageSubject ? start() : shorten());
  }

  async function showLink(
    link: LinkSummary,
    { isExisting = false, isNotSaved = false, isPagesOwn = false, copies = true },
  ): Promise<void> {
    const about = { isExisting, isNotSaved, isPagesOwn };
    const shown = { name: 'link', link, ...about, copy: 'not_asked' } as const;
    view.value = shown;
    if (copies && !link.isImported && settings.value?.copyAtOnce) await copyShown(shown);
  }

  async function copyShown(shown: Extract<View, { name: 'link' }>): Promise<void> {
    const { link } = shown;
    const title = link.title || subject.value.title;
    const isCopied = await copy(
      formatCopy({ ...link, title }, settings.value?.copyFormat ?? 'url'),
    );
    // Meanwhile another link may be shown.
    if (view.value === shown) view.value = { ...shown, copy: isCopied ? 'done' : 'failed' };
  }

  async function copyAgain(): Promise<void> {
    const shown = view.value;
    if (shown.name !== 'link') return;
    // Said anew, so that a second press is seen and heard to have done something.
    const anew = { ...shown, copy: 'not_asked' } as const;
    view.value = anew;
    await copyShown(anew);
  }

  function clearForm(): void {
    fields.value = undefined;
    issues.value = {};
    formFailure.value = undefined;
  }

  return {
    subject,
    links,
    otherLinks,
    address,
    urlFailure,
    view,
    settings,
    showLoopbackNotice,
    limits,
    waiting,
    fields,
    issues,
    formFailure,
    isForOptions,
    isFormOpen,
    isSubmitting,
    isSlow,
    start,
    tryAgain,
    takeOver,
    explained,
    showLink,
    acceptSecret,
    shorten,
    makeNew,
    copyAgain,
    clearForm,
    ask,
    maySend,
    showResult,
    getReady,
    refuse,
    send,
    page,
  };
}
