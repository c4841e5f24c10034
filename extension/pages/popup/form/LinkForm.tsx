import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { abilitiesOf, NO_ABILITIES } from '../../../../shared/abilities.ts';
import { t } from '../../../../shared/i18n/translate.ts';
import { LinkFormFrame } from '../../../../shared/ui/link-form/LinkFormFrame.tsx';
import { toForm } from '../../../../shared/ui/link-form/link-form.ts';
import type { PopupState } from '../state/popup-state.ts';
import { FormError } from './FormError.tsx';
import { newLinkForm } from './new-link-form.ts';
import './form.css';

type LinkFormProps = {
  state: PopupState;
  serverOrigin: string | undefined;
  onClose: () => void;
};

/** Renders the options of the link that is shown, or of one to create. */
export function LinkForm({ state, serverOrigin, onClose }: LinkFormProps) {
  const view = state.view.value;
  const link = view.name === 'link' && view.link.id !== undefined ? view.link : undefined;
  const form = {
    ...(link ? toForm(link) : newLinkForm(state.subject.value, state.settings.value)),
    ...state.changedFields.value,
  };
  const domains = state.domains.value;
  const knownTags = useSignal<string[]>([]);
  useEffect(() => {
    if (!serverOrigin) return;
    void state.send('listTags', { serverOrigin }).then((answer) => {
      if (answer.ok) knownTags.value = answer.data.map(({ tag }) => tag);
    });
  }, []);
  const isBusy = state.isSubmitting.value;

  async function abilities() {
    if (!serverOrigin) return NO_ABILITIES;
    return abilitiesOf(await state.send('getHealth', { serverOrigin }));
  }

  return (
    <LinkFormFrame
      label={t(link ? 'link_edit' : 'create_heading')}
      focusedField="customAlias"
      form={form}
      issues={state.issues.value}
      onChange={state.changeForm}
      link={link}
      host={form.domain || domains?.chosen || (serverOrigin && new URL(serverOrigin).host)}
      domains={domains?.domains}
      suggestions={state.formFailure.value?.suggestions}
      knownTags={knownTags.value}
      abilities={abilities}
      isCompact
      onSubmit={state.submitForm}
      // It would close the popup.
      onEscape={link && state.leaveForm}
      end={
        <>
          <FormError failure={state.formFailure.value} serverOrigin={serverOrigin} />
          {/* Always rendered: a live region must exist before its text. */}
          <div role="status">
            {state.isSlow.value && (
              <p class="hint">
                {t('slow_text', new URL(serverOrigin ?? 'http://localhost').host)}{' '}
                <button type="button" class="link-button" onClick={onClose}>
                  {t('finish_in_background')}
                </button>
              </p>
            )}
          </div>
          <div class="actions">
            <button type="submit" class="button primary" aria-disabled={isBusy}>
              {link ? t(isBusy ? 'saving' : 'save') : t(isBusy ? 'working' : 'shorten')}
            </button>
            {link && (
              <button type="button" class="button" onClick={state.closeForm}>
                {t('cancel')}
              </button>
            )}
          </div>
        </>
      }
    />
  );
}
