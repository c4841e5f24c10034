import { Command, Option } from 'commander';
import { VERSION } from '../core/version.ts';
import { addAccount } from './commands/admin/account.ts';
import { addAudit } from './commands/admin/audit.ts';
import { addBlocks } from './commands/admin/block.ts';
import { addFind } from './commands/admin/find.ts';
import { addCompletion } from './commands/completion.ts';
import { addCopy } from './commands/copy.ts';
import { addBackup } from './commands/folder/backup.ts';
import { addCheck } from './commands/folder/check.ts';
import { addRestore } from './commands/folder/restore.ts';
import { addDelete } from './commands/links/delete.ts';
import { addEdit } from './commands/links/edit.ts';
import { addExport } from './commands/links/export.ts';
import { addImport } from './commands/links/import.ts';
import { addList } from './commands/links/list.ts';
import { addShorten } from './commands/links/shorten.ts';
import { addStats } from './commands/links/stats.ts';
import { addMigrate } from './commands/migrate.ts';
import { addServe } from './commands/serve.ts';
import { addToken } from './commands/token.ts';
import type { Context } from './context.ts';
import { EXIT_CODES } from './exit-codes.ts';

/** All commands. Each one loads what it needs when it runs, so that help and completion are quick. */
export function createProgram(context: Context): Command {
  const program = new Command('curt')
    .description('Runs a Curt server, and manages links, accounts and data folders.')
    .version(VERSION)
    .exitOverride()
    .configureOutput({ writeErr: (text) => context.output.note(text.trimEnd().split('\n')) })
    .configureHelp({ showGlobalOptions: false })
    .addHelpText('after', HELP);
  program.commandsGroup('Links:');
  addShorten(program, context);
  addList(program, context);
  addEdit(program, context);
  addDelete(program, context);
  addStats(program, context);
  addExport(program, context);
  addImport(program, context);
  program.commandsGroup('Administration:');
  addAccount(program, context);
  addFind(program, context);
  addBlocks(program, context);
  addAudit(program, context);
  program.commandsGroup('Server:');
  addServe(program);
  addMigrate(program, context);
  addBackup(program, context);
  addRestore(program, context);
  addCheck(program, context);
  addCopy(program, context);
  program.commandsGroup('This program:');
  addToken(program, context);
  addCompletion(program, context);
  for (const command of leavesOf(program)) command.addOption(jsonOption());
  return program;
}

/** Commands without commands of their own. */
export function leavesOf(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);
}

/** Every command has it. It is read before the commands are, so that wrong arguments are JSON too. */
function jsonOption(): Option {
  return new Option('--json', 'print one JSON object, also for errors');
}

const HELP = `
Environment:
  CURT_SERVER, CURT_TOKEN, ADMIN_TOKEN  instead of what \`curt token\` stored
  STORE_URL                             the data folder or database, as for the server

Exit codes:
  ${Object.entries(EXIT_CODES)
    .map(([name, code]) => `${code} ${name}`)
    .join(', ')}`;
