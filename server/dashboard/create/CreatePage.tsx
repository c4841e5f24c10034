import { useEffect, useMemo, useRef } from 'preact/hooks';
import { failureText } from '../../../shared/i18n/failure-text.ts';
import { t } from '../../../shared/i18n/translate.ts';
import type { LinkRecord } from '../../../shared/links/link-record.ts';
import { findUrl, readTypedUrl } from '../../../shared/links/url-in-text.ts';
import { CleanedNote } from '../../../shared/ui/CleanedNote.tsx';
import { Disclosure } from '../../../shared/ui/Disclosure.tsx';
import { FailureNote } from '../../../shared/ui/FailureNote.tsx';
import { Icon } from '../../../shared/ui/Icon.tsx';
import { lazy } from '../../../shared/ui/lazy.ts';
import { DraftNote, LinkFormFrame } from '../../../shared/ui/link-form/LinkFormFrame.tsx';
import { restoreFocusAfter } from '../../../shared/ui/restore-focus.ts';
import { ShareButton } from '../../../shared/ui/ShareButton.tsx';
import type { PageProps } from '../app/dashboard.ts';
import { learnAccount } from '../session/learn-account.ts';
import { type CreateState, createCreateState } from './create-state.ts';
import './created-link.css';

/**
 * Renders a new link, empty or with what another app shared. That waits for a click, since any page can open this
 * address, also in the window of the installed app.
 */
export function CreatePage({ dashboard }: PageProps) {
  const query = dashboard.router.query.value;
  const state = useMemo(() => createCreateState(dashboard, readShared(query)), [dashboard, query]);
  useEffect(() => {
    void state.readChoices();
    // The form has a draft.
    void learnAccount(dashboard);
  }, [state]);
  const created = state.created.value;
  return created ? (
    <CreatedLink state={state} link={created} origin={dashboard.origin} />
  ) : (
    <CreateForm state={state} origin={dashboard.origin} />
  );
}

/** Reads what another app shared: `?url=`, `?text=` and `?title=`. Many apps put the URL into the text. */
export function readShared(query: URLSearchParams): { url: string; title: string } {
  const [url = '', text = '', title = ''] = ['url', 'text', 'title'].map(
    (name) => query.get(name)?.trim() ?? '',
  );
  const found = [text, title].find((each) => /https?:\/\//i.test(each)) ?? text;
  const chosen = readTypedUrl(url) || (findUrl(found) ?? text);
  return { url: chosen, title: title === chosen ? '' : title };
}

function CreateForm({ state, origin }: { state: CreateState; origin: string }) {
  const failure = state.failure.value;
  const form = state.form.value;
  const domains = state.domains.value;
  // The default is the first.
  const host = form.domain || (domains[0]?.host ?? new URL(origin).host);
  return (
    <section class="card">
      <LinkFormFrame
        label={t('create_heading')}
        start={<DraftNote isShown={state.isRestored.value} onDiscard={state.discard} />}
        form={form}
        issues={state.issues.value}
        onChange={state.change}
        host={host}
        cleaned={state.cleaned}
        domains={domains}
        suggestions={failure?.suggestions}
        knownTags={state.knownTags.value}
        abilities={state.abilities}
        shortUrl={`${new URL(origin).protocol}//${host}/${form.customAlias.trim()}`}
        onSubmit={state.submit}
        end={
          <>
            <FailureNote
              failure={failure && !failure.isMarked ? failureText(failure, origin) : undefined}
            />
            <p class="note" role="status">
              {state.isSlow.value && t('still_working')}
            </p>
            <button type="submit" class="button primary" aria-disabled={state.isBusy.value}>
              {t(state.isBusy.value ? 'working' : 'shorten_and_copy')}
            </button>
          </>
        }
      />
    </section>
  );
}

const QrPanel = lazy(async () => (await import('../../../shared/ui/qr/QrPanel.tsx')).QrPanel);

/** Renders the link that was just created, already copied if the browser allows it. */
export function CreatedLink({
  state,
  link,
  origin,
}: {
  state: CreateState;
  link: LinkRecord;
  origin: string;
}) {
  const failure = state.failure.value;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const isCopied = state.isCopied.value;
  return (
    <section class="card" aria-labelledby="created-heading">
      <h2 id="created-heading" ref={heading} tabIndex={-1}>
        {t('link_created')}
      </h2>
      <p class="created-url">
        <bdi dir="ltr">{link.shortUrl}</bdi>
      </p>
      <p class="hint clipped" dir="ltr">
        {link.originalUrl}
      </p>
      <CleanedNote
        cleaned={state.cleaned.value}
        url={link.originalUrl}
        useFull={(full) => restoreFocusAfter(heading.current, () => state.useFullUrl(full))}
      />
      <FailureNote failure={failure && failureText(failure, origin)} />
      <p class="note" role="status">
        {isCopied !== undefined && t(isCopied ? 'short_link_copied' : 'copy_failed')}
      </p>
      <div class="buttons">
        <button type="button" class="button primary" onClick={state.copy}>
          <Icon name={isCopied ? 'check' : 'copy'} />
          {t('copy')}
        </button>
        <ShareButton url={link.shortUrl} />
        <button
          type="button"
          class="button"
          onClick={() => {
            state.startAgain();
            // The button is gone with this page.
            requestAnimationFrame(() =>
              document.querySelector('form')?.querySelector('input')?.focus(),
            );
          }}
        >
          {t('create_another')}
        </button>
      </div>
      <Disclosure label={t('qr_code')} icon="qr">
        {() => <QrPanel shortUrl={link.shortUrl} />}
      </Disclosure>
    </section>
  );
}
