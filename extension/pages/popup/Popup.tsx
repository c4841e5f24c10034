import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { failureSentences } from '../../../shared/i18n/failure-text.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { Field } from '../../../shared/ui/Field.tsx';
import { Form } from '../../../shared/ui/Form.tsx';
import { Icon } from '../../../shared/ui/Icon.tsx';
import { UrlInput } from '../../../shared/ui/UrlInput.tsx';
import { IconButton, PauseButton } from './LinkCard.tsx';
import { FormError, LinkForm, Notices } from './lazy-parts.ts';
import { Result, type ResultProps } from './Result.tsx';
import { Status } from './Status.tsx';
import { isUnsupportedPage } from './state/popup-model.ts';
import type { PopupState } from './state/popup-state.ts';

type PopupProps = ResultProps & { onOpenLinks: () => void };

export function Popup({ state, ...on }: PopupProps) {
  const { onOpenLinks, onOpenSettings } = on;
  const view = state.view.value;
  const settings = state.settings.value;
  const server = settings && new URL(settings.serverOrigin).host;
  const isUnsupported = isUnsupportedPage(view);
  // First where it is the only action, as on a page that can't be shortened.
  const addressForm = <UrlForm key="address" state={state} isOnlyAction={isUnsupported} />;
  return (
    <>
      <header class="bar">
        <img class="mark" src="/icon/48.png" alt="" />
        <h1 class="name">{t('extension_name')}</h1>
        <span class="server" dir="ltr" title={server}>
          {server}
        </span>
        <IconButton icon="links" label={t('links_title')} onClick={onOpenLinks} />
        <IconButton icon="settings" label={t('settings')} onClick={onOpenSettings} />
      </header>

      <main>
        {isUnsupported && addressForm}
        <section class={`stage stage-${isUnsupported ? 'unsupported' : view.name}`} key="stage">
          <Status state={state} />
          <Result state={state} {...on} />
        </section>

        {!isUnsupported && view.name !== 'secret' && (
          <LinkBar key="options" state={state} onClose={on.onClose} />
        )}

        {!isUnsupported && addressForm}
      </main>

      {settings && <Notices state={state} serverOrigin={settings.serverOrigin} />}
    </>
  );
}

type LinkBarProps = { state: PopupState; onClose: () => void };

/** What else can be done with the link that is shown, and its options. Also those of a new link. */
function LinkBar({ state, onClose }: LinkBarProps) {
  const view = state.view.value;
  const link = view.name === 'link' ? view : undefined;
  const isOpen = state.isFormOpen.value;
  const more = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  useEffect(() => {
    // The form with the focus is gone.
    if (wasOpen.current && !isOpen) more.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  const serverOrigin = state.settings.value?.serverOrigin;
  const isPaused = link?.link.id !== undefined && link.link.status === 'inactive';

  return (
    <section>
      {link?.isPrivate && !link.isPagesOwn && <p class="bar-note">{t('private_unchangeable')}</p>}
      {state.keptDraft.value && !isOpen && (
        <p class="bar-note">
          {t('draft_kept')}{' '}
          <button type="button" class="link-button" onClick={state.continueDraft}>
            {t('draft_continue')}
          </button>{' '}
          <button type="button" class="link-button" onClick={state.discardDraft}>
            {t('discard_queued')}
          </button>
        </p>
      )}
      <div class="link-bar">
        {link?.reference && (
          <button
            type="button"
            class="button plain disclosure"
            ref={more}
            aria-expanded={isOpen}
            onPointerEnter={LinkForm.preload}
            onFocus={LinkForm.preload}
            onClick={isOpen ? state.leaveForm : state.openForm}
          >
            <Icon name="chevron" />
            {t('more')}
          </button>
        )}
        {link && (link.isExisting || link.isPagesOwn) && (
          <button type="button" class="button plain" onClick={state.createAnother}>
            {t('create_another')}
          </button>
        )}
        {link?.reference && link.link.id !== undefined && (isOpen || isPaused) && (
          <PauseButton link={link.link} state={state} />
        )}
      </div>
      {/* The form has its own. */}
      {(view.name === 'deleted' || (link?.reference && !isOpen)) && (
        <FormError failure={state.formFailure.value} serverOrigin={serverOrigin} />
      )}
      {(view.name === 'ready' || isOpen) && (
        <LinkForm key={link?.link.id} state={state} serverOrigin={serverOrigin} onClose={onClose} />
      )}
    </section>
  );
}

type UrlFormProps = {
  state: PopupState;
  /** Whether this form is the popup's only action, as on a page that can't be shortened. */
  isOnlyAction: boolean;
};

/** Shortens any URL that the user types or pastes, whatever the tab shows. A button, until it is wanted. */
function UrlForm({ state, isOnlyAction }: UrlFormProps) {
  const input = useRef<HTMLInputElement>(null);
  const isWanted = useSignal(false);
  const isOpen = isOnlyAction || isWanted.value || state.typedUrl.value !== '';
  useEffect(() => {
    if (isOnlyAction || isWanted.value) input.current?.focus();
  }, [isOnlyAction, isWanted.value]);
  const failure = state.typedUrlFailure.value;
  const error = failure && state.textOf(failure);

  async function submit(): Promise<void> {
    // So that the first button of the new link can take the focus.
    input.current?.blur();
    await state.shortenTypedUrl();
    if (state.typedUrlFailure.value) input.current?.focus();
    else isWanted.value = false;
  }

  if (!isOpen) {
    return (
      <div class="url-form">
        <button
          type="button"
          class="button plain"
          onClick={() => {
            isWanted.value = true;
          }}
        >
          {t('field_url')}
        </button>
      </div>
    );
  }

  return (
    <Form class="url-form" onSubmit={submit}>
      <Field
        label={t(isOnlyAction ? 'field_url_first' : 'field_url')}
        issue={error && failureSentences(error)}
      >
        {(control) => (
          <span class="joined">
            <UrlInput
              {...control}
              ref={input}
              type="url"
              value={state.typedUrl.value}
              onInput={(event) => state.typeUrl(event.currentTarget.value)}
            />
            <button type="submit" class="button" aria-label={t('shorten_this_url')}>
              {t('shorten')}
            </button>
          </span>
        )}
      </Field>
    </Form>
  );
}
