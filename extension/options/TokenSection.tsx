import { Field } from '../Field.tsx';
import { t } from '../i18n.ts';
import { ForgetToken } from './ForgetToken.tsx';
import type { OptionsState } from './options-state.ts';

const HIDDEN_TOKEN = '•'.repeat(24);

export function TokenSection({ state }: { state: OptionsState }) {
  const shown = state.shownToken.value;
  const issue = state.tokenIssue.value;
  const note = state.tokenNote.value;
  return (
    <section class="card" aria-labelledby="token-heading">
      <h2 id="token-heading">{t('token_heading')}</h2>
      <p class="intro">{t('token_intro', state.serverHost.value)}</p>
      {state.hasToken.value ? (
        <div class="rows">
          <Field label={t('field_token')}>
            {(control) => (
              <input
                {...control}
                class="input mono"
                name="token"
                dir="ltr"
                readOnly
                value={shown ?? HIDDEN_TOKEN}
              />
            )}
          </Field>
          <div class="buttons">
            <button
              type="button"
              class="button"
              aria-pressed={shown !== undefined}
              onClick={state.toggleToken}
            >
              {t(shown === undefined ? 'token_show' : 'token_hide')}
            </button>
            <button type="button" class="button" onClick={state.copyToken}>
              {t('copy')}
            </button>
            <ForgetToken onForget={state.forgetToken} />
          </div>
        </div>
      ) : (
        <p>{t('token_none')}</p>
      )}
      <form
        class="rows divided"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void state.replaceToken();
        }}
      >
        <Field
          label={t('field_other_token')}
          hint={t('hint_other_token')}
          issue={issue && t(issue)}
        >
          {(control) => (
            <input
              {...control}
              class="input mono"
              type="password"
              name="other-token"
              dir="ltr"
              value={state.otherToken.value}
              onInput={(event) => {
                state.otherToken.value = event.currentTarget.value;
                state.tokenIssue.value = undefined;
              }}
              autocomplete="off"
              spellcheck={false}
            />
          )}
        </Field>
        <div class="buttons">
          <button type="submit" class="button">
            {t('token_use')}
          </button>
          <span class="note" role="status">
            {note && t(note)}
          </span>
        </div>
      </form>
    </section>
  );
}
