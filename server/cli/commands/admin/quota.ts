import { InvalidArgumentError } from 'commander';
import type { AdminAccount } from '../../../../shared/admin/accounts.ts';

type Quota = AdminAccount['monthlyQuota'];

export const QUOTA_HELP = 'links a month: a number, "unlimited", or "default"';

/** The server checks the range. */
export function parseQuota(text: string): Quota {
  if (text === 'unlimited') return text;
  if (text === 'default') return null;
  if (/^\d+$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Must be a number, "unlimited" or "default".');
}
