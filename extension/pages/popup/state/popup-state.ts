import { computed, signal } from '@preact/signals';
import type { Limits } from '../../../../shared/client.ts';
import type { ShortenRequest } from '../../../../shared/shorten-request.ts';
import { formatCopy } from '../../../links/copy-format.ts';
import type {
  MadeAnswer,
  MadeLink,
  Refusal,
  Send,
  Settings,
  WaitingWish,
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
  const isLoopbackNews = signal(false);
  /** As the last answer told them. */
  const limits = signal<Limits | undefined>(undefined);
  /** Once what waits has been looked up. */
  const waiting = signal<WaitingWish[]>([]);
  /** What was written in the form; nothing yet, and it has the subject's title. */
  const fields = signal<FormFields | undefined>(undefined);
  const issues = signal<FieldIssues>({});
  const formRefusal = signal<Refusal | undefined>(undefined);
  const isFormOpen = signal(isForOptions);
  const isSubmitting = signal(false);
  /** Of a request for a link that has not been answered for a while. */
  const slowAskId = signal<string | undefined>(undefined);
  const isSlow = computed(() => slowAskId.value !== undefined);

  /** What the popup is about: the tab's page, until another address is written. */
  const subject = signal<Subject>({ url: '', title: '' });
  /** What the subject's page has, newest first, with those made since the popup was opened. */
  const links = signal<MadeLink[]>([]);
  /** Without the one that is shown. */
  const otherLinks = computed(() => {
    const shown = view.value;
    if (shown.name !== 'made') return links.value;
    return links.value.filter(({ shortUrl }) => shortUrl !== shown.link.shortUrl);
  });
  const address = signal('');
  const addressRefusal = signal<Explained | undefined>(undefined);

  let pageSubject = subject.value;
  async function ask(request: ShortenRequest, takesMade = false): Promise<MadeAnswer> {
    const { title: pageTitle, isSecretAccepted } = subject.value;
    const { isPrivate } = await page;
    const askId = crypto.randomUUID();
    const wish = { request, isPrivate, pageTitle, isSecretAccepted, takesMade, popupId, askId };
    const timer = setTimeout(() => {
      slowAskId.value = askId;
    }, SLOW_MS);
    const answer = await send('makeLink', wish);
    clearTimeout(timer);
    // Another request may be under way by now.
    if (slowAskId.value === askId) slowAskId.value = undefined;
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
    const { existing, refusal, plan } = answer.data;
    if (plan) changePage({ url: plan.address, plan });
    links.value = answer.data.links ?? [];
    if (refusal) await refuse({ ok: false, code: refusal });
    else if (existing) await showLink(existing, { isMadeBefore: true });
    else if (plan?.ownLink && !isForOptions) await showLink(plan.ownLink, { isPagesOwn: true });
    else if (answer.data.settings.shortenAtOnce && !isForOptions) await shorten();
    else if (maySend(isForOptions ? getReady : shorten)) await getReady();
  }

  async function refuse(
    refusal: Refusal,
    again: () => Promise<void> = shorten,
    afterDrop: () => void = getReady,
  ): Promise<void> {
    const about = subject.value;
    if (refusal.limits) limits.value = refusal.limits;
    const { kept, ...shown } = await explained(refusal);
    if (subject.value !== about) return;
    view.value = kept
      ? { name: 'kept', refusal: { ...shown, kept }, again, afterDrop }
      : { name: 'refused', refusal: shown };
    if (refusal.status === 429 && !(limits.value?.rate && limits.value.quota)) await readLimits();
  }

  /** Where a refusal alone did not tell. */
  async function readLimits(): Promise<void> {
    const answer = await send('readLimits', { isPrivate: (await page).isPrivate });
    if (answer.ok) limits.value = { ...limits.value, ...answer.data };
  }

  async function explained(refusal: Refusal): Promise<Explained> {
    // Most popups need no words for what went wrong.
    const { explain } = await import('../../../i18n/error-text.ts');
    return { ...refusal, words: explain(refusal, settings.value?.serverOrigin) };
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
    const isShown = before.name === 'made' || before.name === 'ready';
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

  function takeOver(start: { settings: Settings; isLoopbackNews?: true }): void {
    settings.value = start.settings;
    // Stays for as long as the popup is open, though a second start is no news.
    if (start.isLoopbackNews) isLoopbackNews.value = true;
  }

  /** Shortens the subject as it is. */
  function shorten(): Promise<void> {
    return make(shorten, true);
  }

  /** The same, though it has a link. */
  function makeNew(): Promise<void> {
    return make(makeNew, false);
  }

  async function make(again: () => Promise<void>, takesMade: boolean): Promise<void> {
    if (!maySend(again)) return;
    const about = subject.value;
    view.value = { name: 'working' };
    const answer = await ask({ originalUrl: about.url }, takesMade);
    // Meanwhile another address may have been written.
    if (subject.value !== about) return;
    if (answer.ok) await showMade(answer);
    else await refuse(answer, again);
  }

  function showMade(
    answer: Extract<MadeAnswer, { ok: true }>,
    { copies = true } = {},
  ): Promise<void> {
    limits.value = answer.limits;
    const others = links.value.filter(({ shortUrl }) => shortUrl !== answer.data.shortUrl);
    links.value = [answer.data, ...others];
    return showLink(answer.data, { isNotKept: answer.notKept !== undefined, copies });
  }

  async function tryAgain(): Promise<void> {
    await (subject.value === pageSubject ? start() : shorten());
  }

  async function showLink(
    link: MadeLink,
    { isMadeBefore = false, isNotKept = false, isPagesOwn = false, copies = true },
  ): Promise<void> {
    const about = { isMadeBefore, isNotKept, isPagesOwn };
    const shown = { name: 'made', link, ...about, copy: 'not_asked' } as const;
    view.value = shown;
    if (copies && !link.isImported && settings.value?.copyAtOnce) await copyShown(shown);
  }

  async function copyShown(shown: Extract<View, { name: 'made' }>): Promise<void> {
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
    if (shown.name !== 'made') return;
    // Said anew, so that a second press is seen and heard to have done something.
    const anew = { ...shown, copy: 'not_asked' } as const;
    view.value = anew;
    await copyShown(anew);
  }

  function clearForm(): void {
    fields.value = undefined;
    issues.value = {};
    formRefusal.value = undefined;
  }

  return {
    subject,
    links,
    otherLinks,
    address,
    addressRefusal,
    view,
    settings,
    isLoopbackNews,
    limits,
    waiting,
    fields,
    issues,
    formRefusal,
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
    showMade,
    getReady,
    refuse,
    send,
    page,
  };
}
