import { Field } from '../Field.tsx';
import { t } from '../i18n.ts';
import { isLoopback, isPlainHttp, parseServerAddress } from '../server-address.ts';
import { ConnectionOutcome } from './ConnectionOutcome.tsx';
import type { OptionsState } from './options-state.ts';

export function ServerSection({ state }: { state: OptionsState }) {
  const issue = state.addressIssue.value;
  const note = state.serverNote.value;
  const isTesting = state.test.value.name === 'testing';
  return (
    <section class="card" aria-labelledby="server-heading">
      <h2 id="server-heading">{t('server_heading')}</h2>
      <p class="intro">{t('server_intro')}</p>
      <form
        class="rows"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void state.saveAddress();
        }}
      >
        <Field label={t('field_server')} issue={issue && t(issue)}>
          {(control) => (
            <input
              {...control}
              class="input mono"
              type="url"
              dir="ltr"
              name="server"
              value={state.address.value}
              onInput={(event) => state.changeAddress(event.currentTarget.value)}
              autocomplete="off"
              spellcheck={false}
            />
          )}
        </Field>
        <AddressNotice address={state.address.value} />
        <div class="buttons">
          <button type="submit" class="button primary">
            {t('save')}
          </button>
          <button
            type="button"
            class="button"
            aria-disabled={isTesting}
            onClick={state.testConnection}
          >
            {t(isTesting ? 'testing' : 'test_connection')}
          </button>
          <span class="note" role="status">
            {note && t(note)}
          </span>
        </div>
        <ConnectionOutcome test={state.test.value} />
      </form>
    </section>
  );
}

/** What follows from the address that stands in the field, before it is saved. */
function AddressNotice({ address }: { address: string }) {
  const parsed = parseServerAddress(address);
  if (!parsed.ok) return null;
  if (isPlainHttp(parsed.origin)) {
    return <p class="warning">{t('plain_http_warning', new URL(parsed.origin).host)}</p>;
  }
  return isLoopback(parsed.origin) ? <p class="hint">{t('loopback_notice')}</p> : null;
}
