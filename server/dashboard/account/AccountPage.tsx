import { useEffect, useMemo } from 'preact/hooks';
import { formatDay } from '../../../shared/i18n/format-time.ts';
import { formatLeft, formatNumber } from '../../../shared/i18n/plural.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { DomainSelect } from '../../../shared/ui/DomainSelect.tsx';
import { FailureNote } from '../../../shared/ui/FailureNote.tsx';
import { Field, InputField } from '../../../shared/ui/Field.tsx';
import { Form } from '../../../shared/ui/Form.tsx';
import { Icon } from '../../../shared/ui/Icon.tsx';
import { ImportPanel } from '../../../shared/ui/transfer/ImportPanel.tsx';
import type { PageProps } from '../app/dashboard.ts';
import {
  CONFIRMATION,
  createAccountState,
  createDeleteState,
  createDomainState,
  type DeleteState,
  type DomainState,
  type OwnAccount,
} from './account-state.ts';
import { createTokensState, NewTokenForm, TokenList } from './Tokens.tsx';
import { createAccountImport, createExportState, ExportSection } from './transfer.tsx';
import '../styles/account.css';

/** Renders the account: how much is used, its tokens, its data. */
export function AccountPage({ dashboard }: PageProps) {
  const state = useMemo(() => {
    const account = createAccountState(dashboard);
    const exported = createExportState(dashboard);
    return {
      account,
      domain: createDomainState(dashboard),
      tokens: createTokensState(dashboard, account),
      exported,
      imported: createAccountImport(dashboard, account, exported),
      deleted: createDeleteState(dashboard),
    };
  }, [dashboard]);
  useEffect(() => {
    void state.account.refresh();
    void state.domain.refresh();
  }, [state]);
  const account = state.account.account.value;
  return (
    <>
      <FailureNote failure={state.account.failure.value} onRetry={state.account.refresh} />
      <Usage account={account} />
      <DefaultDomain state={state.domain} />
      <TokenList state={state.tokens} tokens={account?.tokens ?? []}>
        <NewTokenForm state={state.tokens} origin={dashboard.origin} />
      </TokenList>
      <ExportSection state={state.exported} />
      <ImportPanel state={state.imported} />
      <DeleteAccount state={state.deleted} />
    </>
  );
}

/** What the account has, and what its limits leave. */
function Usage({ account }: { account: OwnAccount | undefined }) {
  return (
    <section class="card" aria-labelledby="usage-heading">
      <h2 id="usage-heading">{t('usage_heading')}</h2>
      <dl class="facts">
        <div>
          <dt>{t('usage_links')}</dt>
          <dd>{account ? formatNumber(account.links) : '…'}</dd>
        </div>
        <div>
          <dt>{t('limit_month')}</dt>
          <dd>{account ? quotaText(account) : '…'}</dd>
        </div>
        <div>
          <dt>{t('account_created')}</dt>
          <dd>{account ? formatDay(account.created) : '…'}</dd>
        </div>
      </dl>
    </section>
  );
}

function quotaText({ quota: { limit, remaining, resetsAt } }: OwnAccount): string {
  if (limit === null || remaining === null) return t('quota_unlimited');
  const left = t('limit_left', ...formatLeft({ limit, remaining }));
  return t('quota_left_until', left, formatDay(resetsAt));
}

/** The domain of new links, if there is a choice. */
function DefaultDomain({ state }: { state: DomainState }) {
  const domains = state.domains.value;
  if (domains.length < 2) return <FailureNote failure={state.failure.value} />;
  return (
    <section class="card" aria-labelledby="domain-heading">
      <h2 id="domain-heading" tabIndex={-1}>
        {t('field_domain')}
      </h2>
      <FailureNote failure={state.failure.value} />
      <Field label={t('default_domain_label')} hint={t('default_domain_hint')}>
        {(control) => (
          <DomainSelect
            {...control}
            domains={domains}
            value={domains.find(({ isDefault }) => isDefault)?.host ?? ''}
            onChoose={(host) => void state.choose(host)}
          />
        )}
      </Field>
      <p role="status">{state.isSaved.value && t('saved')}</p>
    </section>
  );
}

/** Deletes the account and everything in it, after a typed word. */
function DeleteAccount({ state }: { state: DeleteState }) {
  return (
    <details class="card folded">
      <summary>
        <Icon name="chevron" />
        <h2>{t('delete_account_heading')}</h2>
      </summary>
      <div class="rows">
        <p class="warning">{t('delete_account_text')}</p>
        <Form class="rows" onSubmit={state.submit}>
          <InputField
            label={t('field_delete_account', CONFIRMATION)}
            issue={state.issue.value}
            class="input short"
            name="delete-account"
            isCode
            value={state.typed.value}
            onInput={(event) => state.type(event.currentTarget.value)}
          />
          <div class="buttons">
            <button type="submit" class="button danger" aria-disabled={state.isBusy.value}>
              {t('delete_account')}
            </button>
          </div>
          <FailureNote failure={state.failure.value} />
        </Form>
      </div>
    </details>
  );
}
