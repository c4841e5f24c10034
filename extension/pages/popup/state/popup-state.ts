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
import type { FailureWithText, Subject, TabPage, View } from './view.ts';

export type PopupTools = {
  /** Names the popup's port to the background. */
  popupId: string;
  send: Send;
  /** @returns whether the text is in the clipboard */
  copy(text: string): Promise<boolean>;
};
export type PopupState = ReturnType<typeof createPopupState>;

/** After this time the popup says that the server is slow. */
const SLOW_MS = 3000;

/** The popup's state and actions. Its components only render them. */
export function createPopupState(
  /** A promise, so that the popup can render before the browser answers. */
  page: Promise<TabPage>,
  { popupId, send, copy }: PopupTools,
  /** Opened with its form: no link is created before the form is submitted. */
  { isForOptions = false } = {},
) {
  const view = signal<View>({ name: 'working' });
  const settings = signal<Settings | undefined>(undefined);
  const showLoopbackNotice = signal(false);
  /** From the last response. */
  const limits = signal<Limits | undefined>(undefined);
  /** Empty until the queue has been read. */
  const queued = signal<QueuedRequest[]>([]);
  /** The form's values once the user has changed one; before that, the form starts from the subject. */
  const fields = signal<FormFields | undefined>(undefined);
  const issues = signal<FieldIssues>({});
  const formFailure = signal<Failure | undefined>(undefined);
  const isFormOpen = signal(isForOptions);
  const isSubmitting = signal(false);
  /** The request whose response takes long. */
  const slowRequestId = signal<string | undefined>(undefined);
  const isSlow = computed(() => slowRequestId.value !== undefined);

  /** What the popup shortens: the tab's page, or the URL that the user entered. */
  const subject = signal<Subject>({ url: '', title: '' });
  /** The subject's links, newest first, including those created since the popup was opened. */
  const links = signal<LinkSummary[]>([]);
  /** All but the one that is shown. */
  const otherLinks = computed(() => {
    const shown = view.value;
    if (shown.name !== 'link') return links.value;
    return links.value.filter(({ shortUrl }) => shortUrl !== shown.link.shortUrl);
  });
  const address = signal('');
  const urlFailure = signal<FailureWithText | undefined>(undefined);

  let pageSubject = subject.value;
  async function requestLink(
    request: ShortenRequest,
    reuseExisting = false,
  ): Promise<ShortenResult> {
    const { title: pageTitle, isSecretAccepted } = subject.value;
    const { isPrivate } = await page;
    const requestId = crypto.randomUUID();
    const payload = {
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
    const answer = await send('createLink', payload);
    clearTimeout(timer);
    // Another request may have started meanwhile.
    if (slowRequestId.value === requestId) slowRequestId.value = undefined;
    return answer;
  }

  async function start(): Promise<void> {
    view.value = { name: 'working' };
    const tab = await page;
    changePage({ url: tab.url ?? '', title: tab.title });
    const answer = await send('startPopup', tab);
    if (answer.ok) applyStart(answer.data);
    if (subject.value !== pageSubject) return;
    if (!answer.ok) return showFailure(answer);
    const { existing, failure, target } = answer.data;
    if (target) changePage({ url: target.url, target });
    links.value = answer.data.links ?? [];
    if (failure) await showFailure({ ok: false, code: failure });
    else if (existing) await showLink(existing, { isExisting: true });
    else if (target?.siteShortLink && !isForOptions)
      await showLink(target.siteShortLink, { isPagesOwn: true });
    else if (answer.data.settings.shortenAtOnce && !isForOptions) await shorten();
    else if (confirmSecret(isForOptions ? showReady : shorten)) await showReady();
  }

  async function showFailure(
    failure: Failure,
    retry: () => Promise<void> = shorten,
    onDiscard: () => void = showReady,
  ): Promise<void> {
    const current = subject.value;
    if (failure.limits) limits.value = failure.limits;
    const { queued: queuedAs, ...shown } = await withText(failure);
    if (subject.value !== current) return;
    view.value = queuedAs
      ? { name: 'queued', failure: { ...shown, queued: queuedAs }, retry, onDiscard }
      : { name: 'failed', failure: shown };
    if (failure.status === 429 && !(limits.value?.rate && limits.value.quota)) await readLimits();
  }

  /** For errors that don't include the limits. */
  async function readLimits(): Promise<void> {
    const answer = await send('readLimits', { isPrivate: (await page).isPrivate });
    if (answer.ok) limits.value = { ...limits.value, ...answer.data };
  }

  async function withText(failure: Failure): Promise<FailureWithText> {
    // Loaded on demand: most popups show no error.
    const { errorText } = await import('../../../i18n/error-text.ts');
    return { ...failure, errorText: errorText(failure, settings.value?.serverOrigin) };
  }

  function changePage(change: Partial<Subject>): void {
    const changed = { ...pageSubject, ...change };
    if (subject.value === pageSubject) subject.value = changed;
    pageSubject = changed;
  }

  async function showReady(): Promise<void> {
    view.value = { name: 'ready' };
  }

  /** Asks the user first if the URL may contain a secret. @returns whether to proceed right away */
  function confirmSecret(proceed: () => Promise<void>): boolean {
    if (!subject.value.target?.warning || subject.value.isSecretAccepted) return true;
    const before = view.value;
    const isShown = before.name === 'link' || before.name === 'ready';
    const goBack = () => {
      view.value = before;
    };
    view.value = { name: 'secret', before, proceed, ...(isShown && { goBack }) };
    return false;
  }

  async function acceptSecret(): Promise<void> {
    const shown = view.value;
    if (shown.name !== 'secret') return;
    if (subject.value === pageSubject) changePage({ isSecretAccepted: true });
    else subject.value = { ...subject.value, isSecretAccepted: true };
    view.value = shown.before;
    await shown.proceed();
  }

  function applyStart(start: { settings: Settings; showLoopbackNotice?: true }): void {
    settings.value = start.settings;
    // Stays while the popup is open: a second start no longer reports it.
    if (start.showLoopbackNotice) showLoopbackNotice.value = true;
  }

  /** Shortens the subject, or shows its existing link. */
  function shorten(): Promise<void> {
    return createLink(shorten, true);
  }

  /** Creates a new link even if the subject has one. */
  function createAnother(): Promise<void> {
    return createLink(createAnother, false);
  }

  async function createLink(retry: () => Promise<void>, reuseExisting: boolean): Promise<void> {
    if (!confirmSecret(retry)) return;
    const current = subject.value;
    view.value = { name: 'working' };
    const answer = await requestLink({ originalUrl: current.url }, reuseExisting);
    // The user may have entered another URL meanwhile.
    if (subject.value !== current) return;
    if (answer.ok) await showResult(answer);
    else await showFailure(answer, retry);
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
    const shown = {
      name: 'link',
      link,
      isExisting,
      isNotSaved,
      isPagesOwn,
      copy: 'not_asked',
    } as const;
    view.value = shown;
    if (copies && !link.isImported && settings.value?.copyAtOnce) await copyShown(shown);
  }

  async function copyShown(shown: Extract<View, { name: 'link' }>): Promise<void> {
    const { link } = shown;
    const title = link.title || subject.value.title;
    const isCopied = await copy(
      formatCopy({ ...link, title }, settings.value?.copyFormat ?? 'url'),
    );
    // Another link may be shown meanwhile.
    if (view.value === shown) view.value = { ...shown, copy: isCopied ? 'done' : 'failed' };
  }

  async function copyAgain(): Promise<void> {
    const shown = view.value;
    if (shown.name !== 'link') return;
    // Reset first, so that a second click is visible and announced again.
    const reset = { ...shown, copy: 'not_asked' } as const;
    view.value = reset;
    await copyShown(reset);
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
    queued,
    fields,
    issues,
    formFailure,
    isForOptions,
    isFormOpen,
    isSubmitting,
    isSlow,
    start,
    tryAgain,
    applyStart,
    withText,
    showLink,
    acceptSecret,
    shorten,
    createAnother,
    copyAgain,
    clearForm,
    requestLink,
    confirmSecret,
    showResult,
    showReady,
    showFailure,
    send,
    page,
  };
}
