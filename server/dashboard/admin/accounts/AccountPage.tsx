import { signal, useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { AdminAccount, EditAccountRequest } from '../../../../shared/admin/accounts.ts';
import { ACCOUNT_NAME_MAX_CHARACTERS } from '../../../../shared/bounds.ts';
import type { Result } from '../../../../shared/client.ts';
import type { FailureText } from '../../../../shared/i18n/failure-text.ts';
import { formatDay } from '../../../../shared/i18n/format-time.ts';
import { formatCount, formatNumber } from '../../../../shared/i18n/plural.ts';
import { t } from '../../../../shared/i18n/translate.ts';
import type { ExportFormat } from '../../../../shared/links/transfer-formats.ts';
import { FailureNote } from '../../../../shared/ui/FailureNote.tsx';
import { InputField } from '../../../../shared/ui/Field.tsx';
import { Form } from '../../../../shared/ui/Form.tsx';
import { saveFile } from '../../../../shared/ui/save-file.ts';
import type { Admin, AdminPageProps } from '../admin.ts';
import type { AdminClient } from '../api/load-admin-client.ts';
import { ActionNotice, type Actions, adminFailure, useData } from '../parts/actions.tsx';
import { BlockButton, UnblockButton } from '../parts/BlockButton.tsx';
import { ConfirmAction } from '../parts/ConfirmAction.tsx';
import { Facts } from '../parts/Facts.tsx';
import { useTyped } from '../parts/typed.ts';
import { AccountTokens } from './AccountTokens.tsx';
import { accountName, quotaText, stateText } from './account-texts.ts';
import { createQuotaInput, QuotaField } from './QuotaField.tsx';

/** Renders an account, and what can be done with it. Its ID is in the address. */
export function AccountPage({ admin }: AdminPageProps) {
  const id = admin.router.query.value.get('id') ?? '';
  const { data, failure, refresh, actions } = useData(admin, (client) => readAccount(client, id));
  const { account, tokens = [] } = data.value ?? {};
  return (
    <>
      <FailureNote failure={failure.value} onRetry={refresh} />
      <ActionNotice actions={actions} />
      {account && (
        <>
          <AccountFacts account={account} />
          <EditAccount account={account} actions={actions} />
          <AccountAccess admin={admin} account={account} actions={actions} />
          <AccountTokens admin={admin} account={account} tokens={tokens} actions={actions} />
          <MoveLinks admin={admin} account={account} actions={actions} />
          <AccountExport admin={admin} account={account} />
        </>
      )}
    </>
  );
}

/** Reads an account with its tokens. */
async function readAccount(client: AdminClient, id: string) {
  const [account, tokens] = await Promise.all([
    client.adminGetAccount({ id }),
    client.adminListTokens({ id }),
  ]);
  if (!account.ok) return account;
  return tokens.ok
    ? { ok: true as const, data: { account: account.data, tokens: tokens.data } }
    : tokens;
}

function AccountFacts({ account }: { account: AdminAccount }) {
  const measure = account.blocked ?? account.suspended;
  return (
    <section class="card" aria-labelledby="facts-heading">
      <h2 id="facts-heading" tabIndex={-1} dir="auto">
        {accountName(account)}
      </h2>
      <Facts
        facts={[
          ['ID', account.id],
          [t('filter_status'), stateText(account)],
          ...(measure ? [[t('admin_reason'), measure.reason] as const] : []),
          [t('admin_created'), formatDay(account.created)],
          [t('usage_links'), formatNumber(account.links)],
          [t('limit_month'), formatNumber(account.linksThisMonth)],
          [t('admin_quota'), quotaText(account)],
        ]}
      />
    </section>
  );
}

/** All links of an account as a file. */
function AccountExport({ admin, account }: { admin: Admin; account: AdminAccount }) {
  const failure = useSignal<FailureText | undefined>(undefined);

  async function save(format: ExportFormat): Promise<void> {
    const result = await admin.api.call((client) =>
      client.adminExportLinks({ id: account.id, format }),
    );
    failure.value = result.ok ? undefined : adminFailure(result, admin.origin);
    if (result.ok) saveFile(result.data, `curt-${account.id}.${format}`);
  }

  return (
    <section class="card" aria-labelledby="export-heading">
      <h2 id="export-heading" tabIndex={-1}>
        {t('export_heading')}
      </h2>
      <p class="intro">{t('admin_export_intro')}</p>
      <FailureNote failure={failure.value} />
      <div class="buttons">
        <button type="button" class="button" onClick={() => save('json')}>
          {t('export_json')}
        </button>
        <button type="button" class="button" onClick={() => save('csv')}>
          {t('export_csv')}
        </button>
      </div>
    </section>
  );
}

type AccountAccessProps = { admin: Admin; account: AdminAccount; actions: Actions };

/** Suspends an account, or blocks it with its links, and ends that. */
function AccountAccess({ admin, account, actions }: AccountAccessProps) {
  const { id, suspended, blocked } = account;
  const name = accountName(account);
  const resume = { suspended: null };
  const block = { admin, actions, blocked: { kind: 'account', value: id }, name } as const;
  return (
    <section class="card" aria-labelledby="access-heading">
      <h2 id="access-heading" tabIndex={-1}>
        {t('admin_access')}
      </h2>
      <p class="intro">{t('admin_access_intro')}</p>
      <div class="buttons">
        {suspended ? (
          <ConfirmAction
            label={t('admin_resume')}
            title={t('admin_resume_question', name)}
            confirm={t('admin_resume_confirm')}
            consequences={() => [t('admin_resume_text')]}
            onConfirm={() =>
              actions.run(
                (client) => client.adminEditAccount({ id, body: resume }),
                t('admin_resumed', name),
                (client) =>
                  client.adminEditAccount({
                    id,
                    body: { suspended: { reason: suspended.reason } },
                  }),
              )
            }
          />
        ) : (
          <ConfirmAction
            label={t('admin_suspend')}
            title={t('admin_suspend_question', name)}
            confirm={t('admin_suspend_confirm')}
            consequences={() => [formatCount('admin_suspend_text', account.links)]}
            reasonHint={t('admin_reason_owner')}
            onConfirm={(reason) =>
              actions.run(
                (client) => client.adminEditAccount({ id, body: { suspended: { reason } } }),
                t('admin_suspended', name),
                (client) => client.adminEditAccount({ id, body: resume }),
              )
            }
          />
        )}
        {blocked ? (
          <UnblockButton {...block} reason={blocked.reason} />
        ) : (
          <BlockButton {...block} />
        )}
      </div>
    </section>
  );
}

type EditAccountProps = { account: AdminAccount; actions: Actions };

/** Edits name and quota. Nobody but its owner notices, and it can be undone: so it asks nothing. */
function EditAccount({ account, actions }: EditAccountProps) {
  const { id, name, monthlyQuota } = account;
  const typed = useMemo(() => signal(name), [name]);
  const quota = useMemo(() => createQuotaInput(monthlyQuota), [monthlyQuota]);

  async function save(): Promise<void> {
    const newQuota = quota.read();
    if (newQuota === undefined) return;
    const newName = typed.value.trim();
    const edit: EditAccountRequest = {};
    const before: EditAccountRequest = {};
    if (newQuota !== monthlyQuota) {
      edit.monthlyQuota = newQuota;
      before.monthlyQuota = monthlyQuota;
    }
    if (newName !== '' && newName !== name) {
      edit.name = newName;
      // No account can lose its name again.
      if (name !== '') before.name = name;
    }
    const hasUndo = Object.keys(before).length > 0;
    await actions.run(
      (client) => client.adminEditAccount({ id, body: edit }),
      t('saved'),
      hasUndo ? (client) => client.adminEditAccount({ id, body: before }) : undefined,
    );
  }

  return (
    <section class="card" aria-labelledby="edit-heading">
      <h2 id="edit-heading" tabIndex={-1}>
        {t('admin_edit')}
      </h2>
      <Form class="rows" onSubmit={save}>
        <div class="form-line">
          <InputField
            label={t('field_token_name')}
            name="account-name"
            value={typed.value}
            onInput={(event) => {
              typed.value = event.currentTarget.value;
            }}
            maxLength={ACCOUNT_NAME_MAX_CHARACTERS}
          />
          <QuotaField input={quota} />
        </div>
        <div class="buttons">
          <button type="submit" class="button">
            {t('save')}
          </button>
        </div>
      </Form>
    </section>
  );
}

type MoveLinksProps = { admin: Admin; account: AdminAccount; actions: Actions };

/** Moves all links to another account, for somebody who leaves. */
function MoveLinks({ admin, account, actions }: MoveLinksProps) {
  const to = useTyped((id) =>
    /^[\w-]+$/.test(id) && id !== account.id ? undefined : t('admin_move_missing'),
  );
  const target = to.text;

  async function consequences(): Promise<string[]> {
    const other = await admin.api.call((client) => client.adminGetAccount({ id: target }));
    const name = other.ok ? accountName(other.data) : target;
    return [formatCount('admin_move_text', account.links, name), t('admin_move_final')];
  }

  return (
    <section class="card" aria-labelledby="move-heading">
      <h2 id="move-heading" tabIndex={-1}>
        {t('admin_move')}
      </h2>
      <p class="intro">{t('admin_move_intro')}</p>
      <InputField
        label={t('admin_move_to')}
        class="input mono"
        name="move-to"
        isCode
        {...to.field}
      />
      <div class="buttons">
        <ConfirmAction
          label={t('admin_move_button')}
          title={t('admin_move_question')}
          confirm={t('admin_move')}
          isValid={to.check}
          consequences={consequences}
          onConfirm={() =>
            actions.run((client) => moveAll(client, account.id, target), t('admin_moved'))
          }
        />
      </div>
    </section>
  );
}

/** A request moves some of many links. One that is interrupted continues with the next. */
async function moveAll(client: AdminClient, from: string, to: string): Promise<Result<null>> {
  for (;;) {
    const result = await client.adminReassignLinks({ id: from, body: { to } });
    if (!result.ok) return result;
    if (result.data.remaining === 0 || result.data.moved === 0) return { ok: true, data: null };
  }
}
