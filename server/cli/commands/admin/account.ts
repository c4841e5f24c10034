import type { Command } from 'commander';
import type { Context } from '../../context.ts';
import { addAccountCreate } from './create-account.ts';
import { addAccountToken } from './create-token.ts';
import { addAccountEdits } from './edit-account.ts';
import { addAccountExport } from './export-account.ts';
import { addAccountList } from './list-accounts.ts';
import { addAccountTokens } from './list-tokens.ts';
import { addAccountReassign } from './reassign-links.ts';
import { addAccountRevoke } from './revoke-token.ts';

export function addAccount(program: Command, context: Context): void {
  const account = program.command('account').description('manage accounts, as the administrator');
  addAccountCreate(account, context);
  addAccountList(account, context);
  addAccountEdits(account, context);
  addAccountToken(account, context);
  addAccountTokens(account, context);
  addAccountRevoke(account, context);
  addAccountReassign(account, context);
  addAccountExport(account, context);
}
