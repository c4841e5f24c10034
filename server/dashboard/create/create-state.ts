import { signal } from '@preact/signals';
import type { Domain } from '../../../shared/accounts/usable-domains.ts';
import type { Failure, Result } from '../../../shared/client.ts';
import { failureText } from '../../../shared/i18n/failure-text.ts';
import { addressOf, linkAt } from '../../../shared/links/link-address.ts';
import { linkEtag } from '../../../shared/links/link-etag.ts';
import type { LinkRecord } from '../../../shared/links/link-record.ts';
import type { ShortenRequest } from '../../../shared/links/shorten-request.ts';
import { cleanUrl } from '../../../shared/ui/clean-url.ts';
import { copyFromPage } from '../../../shared/ui/copy-text.js';
import { deleteDraft } from '../../../shared/ui/drafts.ts';
import { createFormState } from '../../../shared/ui/link-form/form-state.ts';
import { EMPTY_FORM, type FormIssues, newForm } from '../../../shared/ui/link-form/link-form.ts';
import { tellIfSlow } from '../../../shared/ui/tell-if-slow.ts';
import { readAbilities } from '../api/api.ts';
import type { Dashboard } from '../app/dashboard.ts';
import { createShortener } from './shorten-once.ts';

export type CreateState = ReturnType<typeof createCreateState>;

/** Creates the state of the form for a new link. It is copied as soon as it is created. */
export function createCreateState(
  { api, origin }: Pick<Dashboard, 'api' | 'origin'>,
  shared: { url: string; title: string },
) {
  const state = createFormState<Failure>();
  const draftName = `create:${shared.url}`;
  /** What was removed from the URL that was pasted or shared. */
  const cleaned = signal(cleanUrl(shared.url));
  state.open(draftName, newForm({ ...shared, url: cleaned.value?.url ?? shared.url }));
  const { issues } = state;
  const isBusy = signal(false);
  const isSlow = signal(false);
  const created = signal<LinkRecord | undefined>(undefined);
  const isCopied = signal<boolean | undefined>(undefined);
  const shorten = createShortener(api);
  const domains = signal<Domain[]>([]);

  const knownTags = signal<string[]>([]);

  /** @param unreadable what the browser found wrong, such as text in a field for numbers */
  async function submit(unreadable: FormIssues = {}): Promise<void> {
    if (isBusy.value) return;
    const request = state.read(unreadable, EMPTY_FORM);
    if (!request) return;
    isBusy.value = true;
    const answer = shorten(request as ShortenRequest);
    // At the click: browsers forget it while a slow server answers.
    const copied = copyFromPage(answer.then(shortUrlOf));
    const result = await tellIfSlow(answer, isSlow);
    isBusy.value = false;
    if (!result.ok) return show(result);
    deleteDraft(draftName);
    state.isRestored.value = false;
    created.value = result.data;
    isCopied.value = await copied;
  }

  function show(result: Failure): void {
    state.fail(result);
    if (!issues.value.originalUrl) return;
    const code = result.code === 'blocked_url' ? result.code : 'invalid_url';
    const originalUrl = failureText({ ok: false, code, message: result.message }, origin).text;
    issues.value = { ...issues.value, originalUrl };
  }

  /** The domains and tags to choose from. */
  async function readChoices(): Promise<void> {
    const [tags, known] = await Promise.all([
      api.call((client) => client.listTags()),
      api.call((client) => client.listDomains()),
    ]);
    if (known.ok) domains.value = known.data;
    if (tags.ok) knownTags.value = tags.data.map(({ tag }) => tag);
  }

  async function copy(): Promise<void> {
    if (created.value) isCopied.value = await copyFromPage(created.value.shortUrl);
  }

  /** Gives the link that was created the URL that was pasted or shared. */
  async function useFullUrl(originalUrl: string): Promise<void> {
    const link = created.value;
    if (!link) return;
    const known = { ...linkAt(addressOf(link)), ifMatch: linkEtag(link) };
    const result = await api.call((client) => client.editLink({ ...known, body: { originalUrl } }));
    if (result.ok) created.value = result.data;
    state.failure.value = result.ok ? undefined : { ...result, isMarked: false };
  }

  function startAgain(): void {
    state.show(EMPTY_FORM);
    created.value = undefined;
    isCopied.value = undefined;
  }

  return {
    ...state,
    isBusy,
    isSlow,
    created,
    isCopied,
    cleaned,
    useFullUrl,
    domains,
    abilities: () => readAbilities(api),
    knownTags,
    readChoices,
    submit,
    copy,
    startAgain,
  };
}

/** @throws Error if there is none, so that nothing is copied */
function shortUrlOf(result: Result<LinkRecord>): string {
  if (!result.ok) throw new Error(result.code);
  return result.data.shortUrl;
}
