import { signal } from '@preact/signals';
import type { ShortenRequest } from '../../shared/shorten-request.ts';
import { formatCopy } from '../copy-format.ts';
import type { AddressPlan, AddressStart, MadeLink, Refusal, Send, Settings } from '../messages.ts';
import {
  expiryFieldShown,
  type FieldIssues,
  type FormFields,
  fieldsFor,
  issuesByField,
  toRequest,
} from './form-fields.ts';

/** The tab that the popup was opened on. */
export type TabPage = { url: string | undefined; title: string; isPrivate: boolean };

export type View =
  | { name: 'working' }
  /** Waits for the user's word. */
  | { name: 'ready' }
  | {
      name: 'made';
      link: MadeLink;
      isMadeBefore: boolean;
      copy: 'not_asked' | 'done' | 'failed';
      isNotKept: boolean;
    }
  /** Nothing has been sent: the address carries a secret, and the user is asked about it. */
  | { name: 'secret'; goOn: () => Promise<void>; goBack?: () => void }
  | { name: 'refused'; refusal: Refusal };

export type Subject = {
  url: string;
  title: string;
  /** Once the background has looked at the address. */
  plan?: AddressPlan;
  /** The user wants it shortened with the secret in it. */
  isSecretAccepted?: true;
};

export type PopupTools = {
  send: Send;
  /** @returns whether the text is in the clipboard */
  copy(text: string): Promise<boolean>;
};
export type PopupState = ReturnType<typeof createPopupState>;

/** All that the popup shows and does; its components only draw it. */
export function createPopupState(
  page: TabPage,
  { send, copy }: PopupTools,
  /** Opened for the form: nothing is made before it is sent. */
  { isForOptions = false } = {},
) {
  const view = signal<View>({ name: 'working' });
  const settings = signal<Settings | undefined>(undefined);
  const isLoopbackNews = signal(false);
  const fields = signal<FormFields>(fieldsFor(page.title));
  const issues = signal<FieldIssues>({});
  const formRefusal = signal<Refusal | undefined>(undefined);
  const isFormOpen = signal(isForOptions);
  const isSubmitting = signal(false);

  /** What the popup is about: the tab's page, until another address is written. */
  const subject = signal<Subject>({ url: page.url ?? '', title: page.title });
  const address = signal('');
  const addressRefusal = signal<Refusal | undefined>(undefined);

  let pageSubject = subject.value;
  const ask = (request: ShortenRequest) =>
    send('makeLink', {
      request,
      isPrivate: page.isPrivate,
      pageTitle: subject.value.title,
      isSecretAccepted: subject.value.isSecretAccepted,
    });

  async function start(): Promise<void> {
    view.value = { name: 'working' };
    const answer = await send('startPopup', page);
    if (answer.ok) takeOver(answer.data);
    if (subject.value !== pageSubject) return;
    if (!answer.ok) {
      view.value = { name: 'refused', refusal: answer };
      return;
    }
    const { existing, refusal, plan } = answer.data;
    if (plan) {
      pageSubject = { ...pageSubject, url: plan.address, plan };
      subject.value = pageSubject;
    }
    if (refusal) view.value = { name: 'refused', refusal: { ok: false, code: refusal } };
    else if (existing) await showLink(existing, true);
    else if (answer.data.settings.shortenAtOnce && !isForOptions) await shorten();
    else if (maySend(isForOptions ? getReady : shorten)) await getReady();
  }

  async function getReady(): Promise<void> {
    view.value = { name: 'ready' };
  }

  /** Asks first where the address carries a secret. @returns whether there is nothing to ask */
  function maySend(goOn: () => Promise<void>): boolean {
    if (!subject.value.plan?.warning || subject.value.isSecretAccepted) return true;
    view.value = { name: 'secret', goOn };
    return false;
  }

  async function acceptSecret(): Promise<void> {
    const asked = view.value;
    if (asked.name !== 'secret') return;
    const accepted = { ...subject.value, isSecretAccepted: true } as const;
    if (subject.value === pageSubject) pageSubject = accepted;
    subject.value = accepted;
    await asked.goOn();
  }

  async function leaveSecretOut(): Promise<void> {
    const { plan } = subject.value;
    if (!plan?.warning?.without) return;
    const keepsTracking = plan.address === plan.fullAddress;
    await switchTo(plan.warning.without, { keepsTracking, isMade: !isForOptions });
  }

  function takeOver(start: { settings: Settings; isLoopbackNews?: true }): void {
    settings.value = start.settings;
    // Stays for as long as the popup is open, though a second start is no news.
    if (start.isLoopbackNews) isLoopbackNews.value = true;
  }

  function changeAddress(text: string): void {
    address.value = text;
    addressRefusal.value = undefined;
  }

  /** Shortens the address that was written. What is wrong with it leaves what is shown in place. */
  async function shortenAddress(): Promise<void> {
    addressRefusal.value = undefined;
    const answer = await send('startAddress', { text: address.value, isPrivate: page.isPrivate });
    if (!answer.ok) {
      addressRefusal.value = answer;
      return;
    }
    address.value = '';
    isFormOpen.value = false;
    fields.value = fieldsFor('');
    issues.value = {};
    formRefusal.value = undefined;
    const before = { subject: subject.value, view: view.value };
    takeSubject(answer.data, '');
    await showOrMake(answer.data.existing);
    const asking = view.value;
    if (asking.name === 'secret') view.value = { ...asking, goBack: () => goBackTo(before) };
  }

  function goBackTo(before: { subject: Subject; view: View }): void {
    subject.value = before.subject;
    fields.value = fieldsFor(before.subject.title);
    // Its answer came while something else was shown.
    if (before.view.name === 'working') void tryAgain();
    else view.value = before.view;
  }

  /** Goes back to what cleaning has taken out of the address. */
  async function useFullAddress(): Promise<void> {
    const { plan, url } = subject.value;
    const isMade = view.value.name === 'made';
    await switchTo(plan?.fullAddress ?? url, { keepsTracking: true, isMade });
  }

  /** Takes another form of the address for the one at hand. */
  async function switchTo(
    text: string,
    { keepsTracking, isMade }: { keepsTracking: boolean; isMade: boolean },
  ): Promise<void> {
    const about = subject.value;
    const answer = await send('startAddress', { text, isPrivate: page.isPrivate, keepsTracking });
    if (subject.value !== about) return;
    if (!answer.ok) {
      view.value = { name: 'refused', refusal: answer };
      return;
    }
    takeSubject(answer.data, about.title);
    if (isMade) await showOrMake(answer.data.existing);
    else if (maySend(getReady)) await getReady();
  }

  function takeSubject(start: AddressStart, title: string): void {
    takeOver(start);
    subject.value = { url: start.plan.address, title, plan: start.plan };
  }

  async function showOrMake(existing: MadeLink | undefined): Promise<void> {
    if (existing) await showLink(existing, true);
    else await shorten();
  }

  /** Shortens the subject as it is. */
  async function shorten(): Promise<void> {
    if (!maySend(shorten)) return;
    const about = subject.value;
    view.value = { name: 'working' };
    const answer = await ask({ originalUrl: about.url });
    // Meanwhile another address may have been written.
    if (subject.value !== about) return;
    if (answer.ok) await showLink(answer.data, false, answer.notKept !== undefined);
    else view.value = { name: 'refused', refusal: answer };
  }

  async function tryAgain(): Promise<void> {
    await (subject.value === pageSubject ? start() : shorten());
  }

  async function showLink(link: MadeLink, isMadeBefore: boolean, isNotKept = false): Promise<void> {
    const shown = { name: 'made', link, isMadeBefore, isNotKept, copy: 'not_asked' } as const;
    view.value = shown;
    if (settings.value?.copyAtOnce) await copyShown(shown);
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

  function changeField<K extends keyof FormFields>(name: K, value: FormFields[K]): void {
    fields.value = { ...fields.value, [name]: value };
    const { [name]: _, ...others } = issues.value;
    issues.value = others;
  }

  /** Makes a link with what stands in the form. */
  async function submit(): Promise<void> {
    if (isSubmitting.value) return;
    formRefusal.value = undefined;
    const about = subject.value;
    const wish = toRequest(about.url, fields.value);
    issues.value = wish.ok ? {} : wish.issues;
    if (!wish.ok || !maySend(submit)) return;
    isSubmitting.value = true;
    const answer = await ask(wish.request);
    isSubmitting.value = false;
    if (subject.value !== about) return;
    if (answer.ok) {
      isFormOpen.value = false;
      fields.value = fieldsFor(about.title);
      await showLink(answer.data, false, answer.notKept !== undefined);
      return;
    }
    formRefusal.value = answer;
    issues.value = {
      ...(answer.code === 'alias_taken' && { alias: { key: 'alias_taken_title' as const } }),
      ...(answer.code === 'expires_in_past' && {
        [expiryFieldShown(fields.value.expiryKind)]: { key: 'expires_in_past_text' as const },
      }),
      ...issuesByField(answer.issues ?? [], fields.value),
    };
  }

  return {
    subject,
    address,
    addressRefusal,
    view,
    settings,
    isLoopbackNews,
    fields,
    issues,
    formRefusal,
    isForOptions,
    isFormOpen,
    isSubmitting,
    start,
    tryAgain,
    changeAddress,
    shortenAddress,
    useFullAddress,
    acceptSecret,
    leaveSecretOut,
    shorten,
    copyAgain,
    changeField,
    submit,
  };
}
