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
  | { name: 'refused'; refusal: Refusal };

export type Subject = {
  url: string;
  title: string;
  /** Once the background has looked at the address. */
  plan?: AddressPlan;
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
    send('makeLink', { request, isPrivate: page.isPrivate, pageTitle: subject.value.title });

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
    else view.value = { name: 'ready' };
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
    takeSubject(answer.data, '');
    await showOrMake(answer.data.existing);
  }

  /** Goes back to what cleaning has taken out of the address. */
  async function useFullAddress(): Promise<void> {
    const about = subject.value;
    const isReady = view.value.name === 'ready';
    const answer = await send('startAddress', {
      text: about.plan?.fullAddress ?? about.url,
      isPrivate: page.isPrivate,
      keepsTracking: true,
    });
    if (subject.value !== about) return;
    if (!answer.ok) {
      view.value = { name: 'refused', refusal: answer };
      return;
    }
    takeSubject(answer.data, about.title);
    if (!isReady) await showOrMake(answer.data.existing);
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
    if (!wish.ok) return;
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
    shorten,
    copyAgain,
    changeField,
    submit,
  };
}
