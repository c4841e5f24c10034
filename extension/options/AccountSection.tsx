import { t } from '../i18n.ts';
import type { AccountState } from './account-state.ts';
import { Card } from './Card.tsx';
import { FormerTokens } from './FormerTokens.tsx';
import type { Note } from './note.ts';
import { PasteCode } from './PasteCode.tsx';
import { RecoveryCode } from './RecoveryCode.tsx';

export function AccountSection({ state, note }: { state: AccountState; note: Note | undefined }) {
  return (
    <Card
      name="account"
      heading={t('account_heading')}
      intro={t('token_intro', new URL(state.origin.value).host)}
      note={note}
    >
      {state.current.value?.hasToken ? <RecoveryCode state={state} /> : <p>{t('token_none')}</p>}
      <FormerTokens state={state} />
      <PasteCode state={state} />
    </Card>
  );
}
