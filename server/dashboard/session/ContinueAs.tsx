import { useEffect } from 'preact/hooks';
import { t } from '../../../shared/i18n/translate.ts';
import type { SingleSignOn } from './single-sign-on.ts';

/** The sign-in of somebody whom the proxy knows. */
export function ContinueAs({ state }: { state: SingleSignOn }) {
  useEffect(() => void state.refresh(), [state]);
  const identity = state.identity.value;
  if (identity === undefined) return null;
  return (
    <div class="rows">
      <p class="intro">{t('sign_in_identity')}</p>
      <div class="buttons">
        <button
          type="button"
          class="button primary"
          aria-disabled={state.isBusy.value}
          onClick={state.signIn}
        >
          {t('sign_in_continue', identity)}
        </button>
      </div>
      <p class="issue" role="alert">
        {state.issue.value}
      </p>
    </div>
  );
}
