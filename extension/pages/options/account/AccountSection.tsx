import { t } from '../../../../shared/i18n/translate.ts';
import { Card } from '../Card.tsx';
import type { AccountState } from '../state/account-state.ts';
import type { Note } from '../state/note.ts';
import { ImportCode } from './ImportCode.tsx';
import { PreviousTokens } from './PreviousTokens.tsx';
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
      <PreviousTokens state={state} />
      <ImportCode state={state} />
    </Card>
  );
}
