import { signal } from '@preact/signals';
import type { ShortenRequest } from '../../shared/shorten-request.ts';
import type { Answer, MadeLink, Refusal, Send, Settings } from '../messages.ts';
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
  | { name: 'made'; link: MadeLink; isMadeBefore: boolean; copy: 'not_asked' | 'done' | 'failed' }
  | { name: 'refused'; refusal: Refusal };

export type PopupTools = {
  send: Send;
  /** @returns whether the text is in the clipboard */
  copy(text: string): Promise<boolean>;
};
export type PopupState = ReturnType<typeof createPopupState>;

/** All that the popup shows and does; its components only draw it. */
export function createPopupState(page: TabPage, { send, copy }: PopupTools) {
  const view = signal<View>({ name: 'working' });
  const settings = signal<Settings | undefined>(undefined);
  const isLoopbackNews = signal(false);
  const fields = signal<FormFields>(fieldsFor(page.title));
  const issues = signal<FieldIssues>({});
  const formRefusal = signal<Refusal | undefined>(undefined);
  const isFormOpen = signal(false);
  const isSubmitting = signal(false);

  const originalUrl = page.url ?? '';
  const ask = (request: ShortenRequest) => send('makeLink', { request, isPrivate: page.isPrivate });

  async function start(): Promise<void> {
    view.value = { name: 'working' };
    const answer = await send('startPopup', page);
    if (!answer.ok) {
      view.value = { name: 'refused', refusal: answer };
      return;
    }
    const { existing, refusal } = answer.data;
    settings.value = answer.data.settings;
    // Stays for as long as the popup is open, though a second start is no news.
    if (answer.data.isLoopbackNews) isLoopbackNews.value = true;
    if (refusal) view.value = { name: 'refused', refusal: { ok: false, code: refusal } };
    else if (existing) await showLink(existing, true);
    else if (answer.data.settings.shortenAtOnce) await shorten();
    else view.value = { name: 'ready' };
  }

  /** Shortens the page's address as it is. */
  async function shorten(): Promise<void> {
    view.value = { name: 'working' };
    await showAnswer(await ask({ originalUrl }));
  }

  async function showAnswer(answer: Answer<MadeLink>): Promise<void> {
    if (answer.ok) await showLink(answer.data, false);
    else view.value = { name: 'refused', refusal: answer };
  }

  async function showLink(link: MadeLink, isMadeBefore: boolean): Promise<void> {
    const shown = { name: 'made', link, isMadeBefore } as const;
    const isCopying = settings.value?.copyAtOnce ?? false;
    view.value = { ...shown, copy: 'not_asked' };
    if (isCopying) view.value = { ...shown, copy: (await copy(link.shortUrl)) ? 'done' : 'failed' };
  }

  async function copyAgain(): Promise<void> {
    const shown = view.value;
    if (shown.name !== 'made') return;
    // Said anew, so that a second press is seen and heard to have done something.
    view.value = { ...shown, copy: 'not_asked' };
    view.value = { ...shown, copy: (await copy(shown.link.shortUrl)) ? 'done' : 'failed' };
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
    const wish = toRequest(originalUrl, fields.value);
    issues.value = wish.ok ? {} : wish.issues;
    if (!wish.ok) return;
    isSubmitting.value = true;
    const answer = await ask(wish.request);
    isSubmitting.value = false;
    if (answer.ok) {
      isFormOpen.value = false;
      fields.value = fieldsFor(page.title);
      await showLink(answer.data, false);
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
    page,
    view,
    settings,
    isLoopbackNews,
    fields,
    issues,
    formRefusal,
    isFormOpen,
    isSubmitting,
    start,
    shorten,
    copyAgain,
    changeField,
    submit,
  };
}
