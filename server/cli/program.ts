import { type Command, Option } from 'commander';
import { VERSION } from '../lib/version.ts';
import { EXIT_CODES } from './cli-error.ts';
import { CurtCommand } from './command.ts';
import { addAccounts } from './commands/accounts.ts';
import { addAdministration } from './commands/administration.ts';
import { addBulk } from './commands/bulk.ts';
import { addCompletion } from './commands/completion.ts';
import { addCopy } from './commands/copy.ts';
import { addDataFolder } from './commands/data-folder.ts';
import { addDomains } from './commands/domains.ts';
import { addLinks } from './commands/links.ts';
import { addServer } from './commands/server.ts';
import { addShorten } from './commands/shorten.ts';
import { addStats } from './commands/statistics.ts';
import { addToken } from './commands/token.ts';
import { addTransfer } from './commands/transfer.ts';
import type { Context } from './context.ts';

/** All commands. Each one loads what it needs when it runs, so that help and completion are quick. */
export function createProgram(context: Context): CurtCommand {
  const program = new CurtCommand('curt')
    .description('Runs a Curt server, and manages links, accounts and data folders.')
    .version(VERSION)
    .exitOverride()
    .configureOutput({ writeErr: (text) => context.output.note(text.trimEnd().split('\n')) })
    .configureHelp({ showGlobalOptions: false })
    .addHelpText('after', HELP);
  program.commandsGroup('Links:');
  addShorten(program, context);
  addLinks(program, context);
  addBulk(program, context);
  addStats(program, context);
  addTransfer(program, context);
  program.commandsGroup('Administration:');
  addAccounts(program, context);
  addAdministration(program, context);
  addDomains(program, context);
  program.commandsGroup('Server:');
  addServer(program, context);
  addDataFolder(program, context);
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
