import { useEffect, useRef } from 'preact/hooks';
import { t } from '../../i18n/translate.ts';
import { Field } from '../../ui/Field.tsx';
import type { PopupState } from './state/popup-state.ts';

export type AddressFormProps = {
  state: PopupState;
  /** Whether there is nothing else to do here, as on a page that has no address. */
  takesFocus: boolean;
};

/** Shortens any address that is written or pasted, whatever the tab shows. */
export function AddressForm({ state, takesFocus }: AddressFormProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (takesFocus) input.current?.focus();
  }, [takesFocus]);
  const words = state.urlFailure.value?.words;

  async function submit(): Promise<void> {
    // Lets the link's first button have the focus when it comes.
    input.current?.blur();
    // Most popups never take an address.
    const { shortenAddress } = await import('./state/change-address.ts');
    await shortenAddress(state);
    if (state.urlFailure.value) input.current?.focus();
  }

  return (
    <form
      class="address-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Field label={t('field_url')} issue={words && `${words.title}. ${words.text}`}>
        {(control) => (
          <span class="joined">
            <input
              {...control}
              class="input"
              ref={input}
              type="url"
              dir="ltr"
              value={state.address.value}
              onInput={(event) => {
                state.address.value = event.currentTarget.value;
                state.urlFailure.value = undefined;
              }}
              autocomplete="off"
              spellcheck={false}
            />
            <button type="submit" class="button" aria-label={t('shorten_this_url')}>
              {t('shorten')}
            </button>
          </span>
        )}
      </Field>
    </form>
  );
}
