import { useSignal } from '@preact/signals';
import type { AdminAccount, AdminToken } from '../../../../shared/admin/accounts.ts';
import { TOKEN_NAME_MAX_CHARACTERS } from '../../../../shared/bounds.ts';
import { t } from '../../../../shared/i18n/translate.ts';
import { InputField } from '../../../../shared/ui/Field.tsx';
import { Form } from '../../../../shared/ui/Form.tsx';
import { type CreatedKey, CreatedToken } from '../../account/NewToken.tsx';
import { describeToken, tokenName } from '../../account/token-texts.ts';
import type { Admin } from '../admin.ts';
import type { Actions } from '../parts/actions.tsx';
import { ConfirmAction, useOneAtATime } from '../parts/ConfirmAction.tsx';
import { needed, useTyped } from '../parts/typed.ts';

type AccountTokensProps = {
  admin: Admin;
  account: AdminAccount;
  tokens: AdminToken[];
  actions: Actions;
};

/** Renders the tokens of an account, and a new one for somebody who lost theirs. */
export function AccountTokens({ admin, account: { id }, tokens, actions }: AccountTokensProps) {
  const name = useTyped(needed('token_name_missing'));
  const created = useSignal<CreatedKey | undefined>(undefined);

  const create = useOneAtATime(async () => {
    if (!name.check()) return;
    const body = { name: name.text, scope: 'all' } as const;
    const result = await actions.submit(
      (client) => client.adminCreateToken({ id, body }),
      t('admin_token_created'),
    );
    if (!result.ok) return;
    created.value = result.data;
    name.clear();
  });

  return (
    <section class="card" aria-labelledby="tokens-heading">
      <h2 id="tokens-heading" tabIndex={-1}>
        {t('tokens_heading')}
      </h2>
      <ul class="list">
        {tokens.map((token) => (
          <li class="list-row" key={token.id}>
            <div>
              <strong dir="auto">{tokenName(token)}</strong>
              <p class="hint">{describeToken(token)}</p>
            </div>
            <ConfirmAction
              label={t('revoke')}
              ariaLabel={t('label_of', t('revoke'), tokenName(token))}
              title={t('revoke_question', tokenName(token))}
              confirm={t('revoke_confirm')}
              consequences={() => [t('revoke_text'), t('admin_final')]}
              onConfirm={() =>
                actions.run(
                  (client) => client.adminRevokeToken({ id, tokenId: token.id }),
                  t('admin_token_revoked', tokenName(token)),
                )
              }
            />
          </li>
        ))}
      </ul>
      <Form class="rows divided" onSubmit={create}>
        <h3>{t('token_new_heading')}</h3>
        <InputField
          label={t('field_token_name')}
          {...name.field}
          name="token-name"
          maxLength={TOKEN_NAME_MAX_CHARACTERS}
        />
        <div class="buttons">
          <button type="submit" class="button">
            {t('token_create')}
          </button>
        </div>
      </Form>
      <CreatedToken created={created} origin={admin.origin} />
    </section>
  );
}
