import { signal } from '@preact/signals';
import type { Failure, Result } from '../../../shared/client.ts';
import { failureText } from '../../../shared/i18n/failure-text.ts';
import { t } from '../../../shared/i18n/translate.ts';
import type { LinkRecord } from '../../../shared/links/link-record.ts';
import { copyFromPage } from '../../../shared/ui/copy-text.js';
import { deleteDraft, readDraft, saveDraft } from '../../../shared/ui/drafts.ts';
import { issuesLeft } from '../../../shared/ui/link-form/destination-inputs.ts';
import type { FormFields } from '../../../shared/ui/link-form/form-fields.ts';
import { type Marked, markFields } from '../../../shared/ui/link-form/mark-fields.ts';
import {
  type FieldIssues,
  fieldOf,
  fieldsFor,
  toRequest,
} from '../../../shared/ui/link-form/to-request.ts';
import { tellIfSlow } from '../../../shared/ui/tell-if-slow.ts';
import { createDomainState } from '../account/domain/domain-state.ts';
import { knowsCountries } from '../api/api.ts';
import type { Dashboard } from '../app/dashboard.ts';
import { createShortener } from './shorten-once.ts';

type CreateIssues = FieldIssues & { url?: string };

export type CreateState = ReturnType<typeof createCreateState>;

/** The form for a new link. It is copied as soon as it is created. */
export function createCreateState(
  { api, origin }: Pick<Dashboard, 'api' | 'origin'>,
  shared: { url: string; title: string },
) {
  /** The form as it is opened. */
  const empty = { url: shared.url, ...fieldsFor(shared.title) };
  const draftName = `create:${shared.url}`;
  const draft = readDraft(draftName, empty);
  const { url: firstUrl, ...firstFields } = { ...empty, ...draft?.fields };
  const url = signal(firstUrl);
  const fields = signal<FormFields>(firstFields);
  const isRestored = signal(draft !== undefined);
  let lacksPassword = draft?.hadPassword === true;
  const issues = signal<CreateIssues>(lacksPassword ? { password: t('field_password_again') } : {});
  const failure = signal<Marked<Failure> | undefined>(undefined);
  const isBusy = signal(false);
  const isSlow = signal(false);
  const created = signal<LinkRecord | undefined>(undefined);
  const isCopied = signal<boolean | undefined>(undefined);
  const shorten = createShortener(api);
  const { domains, refresh: readDomains } = createDomainState({ api, origin });

  function setUrl(text: string): void {
    url.value = text;
    clearIssues({ url: text });
    keep();
  }

  function change<K extends keyof FormFields>(name: K, value: FormFields[K]): void {
    clearIssues({ [name]: value });
    fields.value = { ...fields.value, [name]: value };
    if (name === 'password') lacksPassword = false;
    keep();
  }

  function keep(): void {
    saveDraft(draftName, { url: url.value, ...fields.value }, empty, lacksPassword);
  }

  /** Starts over. */
  function discard(): void {
    deleteDraft(draftName);
    const { url: emptyUrl, ...emptyFields } = empty;
    url.value = emptyUrl;
    fields.value = emptyFields;
    isRestored.value = false;
    lacksPassword = false;
    issues.value = {};
    failure.value = undefined;
  }

  function clearIssues(changes: object): void {
    const left = issuesLeft(issues.value, fields.value, changes);
    const isCleared = Object.keys(left).length < Object.keys(issues.value).length;
    issues.value = left;
    // The suggested aliases stay: the user may want another one.
    if (isCleared && failure.value?.code !== 'alias_taken') failure.value = undefined;
  }

  /** @param corrections values of fields that the browser doesn't report, such as text in a number field */
  async function submit(corrections: Partial<FormFields> = {}): Promise<void> {
    if (isBusy.value) return;
    failure.value = undefined;
    const parsed = toRequest(url.value, { ...fields.value, ...corrections }, Date.now());
    issues.value = {
      ...(url.value.trim() === '' && { url: t('url_missing') }),
      ...(!parsed.ok && parsed.issues),
    };
    if (!parsed.ok || Object.keys(issues.value).length > 0) return;
    isBusy.value = true;
    const answer = shorten(parsed.request);
    // At the click: browsers forget it while a slow server answers.
    const copied = copyFromPage(answer.then(shortUrlOf));
    const result = await tellIfSlow(answer, isSlow);
    isBusy.value = false;
    if (!result.ok) return show(result);
    deleteDraft(draftName);
    isRestored.value = false;
    created.value = result.data;
    isCopied.value = await copied;
  }

  function show(result: Failure): void {
    const marked = markFields(result, (path) =>
      path === 'originalUrl' ? 'url' : fieldOf(path, fields.value),
    );
    failure.value = marked.failure;
    const code = result.code === 'blocked_url' ? result.code : 'invalid_url';
    issues.value = {
      ...marked.issues,
      ...(marked.issues.url && { url: failureText({ ...result, code }, origin).text }),
    };
  }

  async function copy(): Promise<void> {
    if (created.value) isCopied.value = await copyFromPage(created.value.shortUrl);
  }

  function startAgain(): void {
    url.value = '';
    fields.value = fieldsFor('');
    created.value = undefined;
    isCopied.value = undefined;
  }

  return {
    url,
    fields,
    issues,
    failure,
    isBusy,
    isSlow,
    created,
    isCopied,
    domains,
    knowsCountries: () => knowsCountries(api),
    readDomains,
    isRestored,
    setUrl,
    change,
    discard,
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
