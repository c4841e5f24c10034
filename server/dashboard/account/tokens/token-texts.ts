import type { TokenInfo } from '../../../../shared/accounts/account-tokens.ts';
import { formatDay } from '../../../../shared/i18n/format-time.ts';
import { t } from '../../../../shared/i18n/translate.ts';
import { SCOPE_LABELS } from './scope-labels.ts';

export function tokenName({ name }: Pick<TokenInfo, 'name'>): string {
  return name || t('token_unnamed');
}

/** What a token may do, and since when it is used. */
export function describeToken({
  scope,
  created,
  lastUsedOn,
}: Omit<TokenInfo, 'isCurrent'>): string {
  const used = lastUsedOn ? t('token_last_used', formatDay(lastUsedOn)) : t('token_never_used');
  return [t(SCOPE_LABELS[scope]), t('token_created', formatDay(created)), used].join(' · ');
}
