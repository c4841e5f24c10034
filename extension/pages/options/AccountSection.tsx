import { useId } from 'preact/hooks';
import { formatDate } from '../../../shared/i18n/format-time.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { ConfirmButton, ConfirmDialog } from '../../../shared/ui/ConfirmDialog.tsx';
import { InputField } from '../../../shared/ui/Field.tsx';
import { Form, Username } from '../../../shared/ui/Form.tsx';
import { QrCode } from '../../../shared/ui/qr/QrCode.tsx';
import { restoreFocusAfter } from '../../../shared/ui/restore-focus.ts';
import type { AccountState } from './account-state.ts';
import { Card } from './Card.tsx';
import type { Note } from './note.ts';

export function AccountSection({ state, note }: { state: AccountState; note: Note | undefined }) {
  return (
    <Card
      name="account"
      heading={t('account_heading')}
      intro={t('token_intro', new URL(state.origin.value).host)}
      note={note}
    >
      {state.current.value?.hasToken ? <CurrentToken state={state} /> : <p>{t('token_none')}</p>}
      <PreviousTokens state={state} />
      <PasteToken state={state} />
    </Card>
  );
}

const HIDDEN_TOKEN = '•'.repeat(24);

/** The token in use, for another browser. It is in the page only while it is shown. */
function CurrentToken({ state }: { state: AccountState }) {
  const qrId = useId();
  const tokenText = state.tokenText.value;
  const isText = state.shownAs.value === 'text';
  const isQr = state.shownAs.value === 'qr';
  return (
    <>
      <InputField
        label={t('field_token')}
        hint={t('hint_token')}
        class="input mono"
        name="token"
        dir="ltr"
        readOnly
        value={isText ? tokenText : HIDDEN_TOKEN}
        onFocus={(event) => isText && event.currentTarget.select()}
      />
      <div class="buttons">
        <button type="button" class="button" onClick={() => state.toggle('text')}>
          {t(isText ? 'token_hide' : 'token_show')}
        </button>
        <button type="button" class="button" onClick={() => state.copyToken()}>
          {t('copy')}
        </button>
        <button
          type="button"
          class="button"
          aria-expanded={isQr}
          aria-controls={qrId}
          onClick={() => state.toggle('qr')}
        >
          {t('qr_code')}
        </button>
        <ConfirmButton
          label={t('token_remove')}
          title={t('token_remove_question')}
          confirm={t('token_remove_confirm')}
          onConfirm={() => state.removeToken(state.origin.value)}
        >
          <p>{t('token_remove_text')}</p>
        </ConfirmButton>
      </div>
      <div id={qrId} hidden={!isQr}>
        {isQr && tokenText && <QrCode text={tokenText} label={t('token_as_qr')} />}
      </div>
    </>
  );
}

/** Replaced tokens of this server: pasting a new token never loses the old one. */
function PreviousTokens({ state }: { state: AccountState }) {
  const dates = state.current.value?.replacedAt ?? [];
  if (dates.length === 0) return null;
  return (
    <details class="divided">
      <summary>{t('previous_heading')}</summary>
      <div class="rows">
        <p class="hint">{t('hint_previous')}</p>
        <ul class="list">
          {dates.map((replacedAt) => {
            const name = t('previous_replaced', formatDate(replacedAt));
            return (
              <li class="list-row" key={replacedAt}>
                <span>{name}</span>
                <span class="buttons">
                  <button
                    type="button"
                    class="button"
                    aria-label={t('label_of', t('previous_use'), name)}
                    onClick={({ currentTarget }) =>
                      restoreFocusAfter(currentTarget, () => state.restore(replacedAt))
                    }
                  >
                    {t('previous_use')}
                  </button>
                  <button
                    type="button"
                    class="button"
                    aria-label={t('label_of', t('copy'), name)}
                    onClick={() => state.copyToken(replacedAt)}
                  >
                    {t('copy')}
                  </button>
                  <ConfirmButton
                    label={t('remove')}
                    ariaLabel={t('label_of', t('remove'), name)}
                    title={t('token_remove_question')}
                    confirm={t('token_remove_confirm')}
                    onConfirm={() => state.removeToken(state.origin.value, replacedAt)}
                  >
                    <p>{t('token_remove_text')}</p>
                  </ConfirmButton>
                </span>
              </li>
            );
          })}
        </ul>
      </div>
    </details>
  );
}

/** Imports an account that was created in another browser. */
function PasteToken({ state }: { state: AccountState }) {
  const offer = state.offer.value;
  const hasToken = state.current.value?.hasToken ?? false;
  const offeredHost = new URL(offer?.origin ?? state.origin.value).host;
  return (
    <Form class="rows divided" onSubmit={state.usePasted}>
      <Username name={new URL(state.origin.value).host} />
      <InputField
        label={t(hasToken ? 'field_other_token' : 'field_token')}
        hint={t(hasToken ? 'hint_other_token' : 'hint_token_first')}
        issue={state.pastedIssue.value}
        class="input mono"
        type="password"
        name="other-token"
        isCode
        value={state.pasted.value}
        onInput={(event) => state.paste(event.currentTarget.value)}
      />
      <div class="buttons">
        <button type="submit" class="button">
          {t(hasToken ? 'server_switch' : 'token_use')}
        </button>
      </div>
      <ConfirmDialog
        isOpen={offer !== undefined}
        title={t('offer_switch_question', offeredHost)}
        confirm={t('offer_switch_confirm')}
        onConfirm={state.acceptOffer}
        onClose={state.declineOffer}
      >
        <p>{t('offer_switch_text', offeredHost, new URL(state.origin.value).host)}</p>
      </ConfirmDialog>
    </Form>
  );
}
