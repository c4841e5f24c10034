import type { TokenInfo } from '../../../shared/accounts/account-tokens.ts';
import { formatDay } from '../../../shared/i18n/format-time.ts';
import { t, textOf } from '../../../shared/i18n/translate.ts';

export function tokenName({ name }: Pick<TokenInfo, 'name'>): string {
  return name || t('token_unnamed');
}

/** Returns what a token may do, and since when it is used. */
export function describeToken({
  scope,
  created,
  lastUsedOn,
}: Omit<TokenInfo, 'isCurrent'>): string {
  const used = lastUsedOn ? t('token_last_used', formatDay(lastUsedOn)) : t('token_never_used');
  return [textOf(SCOPE_LABELS, scope), t('token_created', formatDay(created)), used].join(' · ');
}

export const SCOPE_LABELS = {
  all: 'scope_all',
  create: 'scope_create',
  read: 'scope_read',
} as const satisfies Record<TokenInfo['scope'], string>;

export const SCOPES = Object.keys(SCOPE_LABELS) as TokenInfo['scope'][];
