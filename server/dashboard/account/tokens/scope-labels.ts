import type { TokenInfo } from '../../../../shared/accounts/account-tokens.ts';

export const SCOPE_LABELS = {
  all: 'scope_all',
  create: 'scope_create',
  read: 'scope_read',
} as const satisfies Record<TokenInfo['scope'], string>;

export const SCOPES = Object.keys(SCOPE_LABELS) as TokenInfo['scope'][];
