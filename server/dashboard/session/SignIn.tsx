import { useEffect } from 'preact/hooks';
import { t } from '../../../shared/i18n/translate.ts';
import { InputField } from '../../../shared/ui/Field.tsx';
import { Form, Username } from '../../../shared/ui/Form.tsx';
import type { SignOutReason } from './session.ts';
import type { SignInState, SingleSignOn } from './sign-in-state.ts';

const REASONS = {
  by_user: 'signed_out_by_user',
  token_revoked: 'signed_out_token_revoked',
  account_deleted: 'signed_out_account_deleted',
} as const satisfies Record<SignOutReason, string>;

export type SignInProps = {
  state: SignInState;
  reason: SignOutReason | undefined;
  /** Whether another account is signed in, which stays if the user decides so. */
  isSignedIn: boolean;
};

/** Asks for the token, below the sign-in of somebody whom the proxy knows. */
export function SignIn({ state, reason, isSignedIn }: SignInProps) {
  const isFromAddress = state.isFromAddress.value;
  return (
    <section class="card" aria-labelledby="page-heading">
      <p role="status" class={reason === 'token_revoked' ? 'note error' : 'note'}>
        {reason && t(REASONS[reason])}
      </p>
      {!isFromAddress && <ContinueAs state={state.singleSignOn} />}
      <p class="intro">
        {t(
          isFromAddress
            ? isSignedIn
              ? 'sign_in_switch_intro'
              : 'sign_in_address_intro'
            : 'sign_in_intro',
        )}
      </p>
      <Form class="rows" onSubmit={state.submit}>
        <Username name={state.keyName()} />
        <InputField
          label={t('field_token')}
          issue={state.issue.value}
          class="input mono"
          type="password"
          name="token"
          isCode
          value={state.tokenText.value}
          onInput={(event) => state.enter(event.currentTarget.value)}
          autocomplete="current-password"
        />
        {state.canStay ? (
          <div class="toggle">
            <input
              type="checkbox"
              id="stay-signed-in"
              checked={state.stays.value}
              onChange={(event) => state.setStays(event.currentTarget.checked)}
            />
            <label class="label" for="stay-signed-in">
              {t('stay_signed_in')}
            </label>
            <p class="hint">{t('stay_signed_in_hint')}</p>
          </div>
        ) : (
          <p class="note">{t('stay_signed_in_blocked')}</p>
        )}
        <p role="status" class="note">
          {state.replacesLasting() && t('stay_signed_in_replaces')}
        </p>
        <div class="buttons">
          <button type="submit" class="button primary" aria-disabled={state.isBusy.value}>
            {t(state.isBusy.value ? 'sign_in_busy' : 'sign_in')}
          </button>
          {isSignedIn && (
            <button type="button" class="button" onClick={state.dismiss}>
              {t('cancel')}
            </button>
          )}
        </div>
      </Form>
      <p class="hint divided">
        {t('sign_in_no_token')} <a href="/">{t('sign_in_home')}</a>
      </p>
    </section>
  );
}

/** Renders the sign-in of somebody whom the proxy knows. */
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
