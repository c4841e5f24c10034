import { type Command, CommanderError, Option } from 'commander';
import { SettingsError } from '../lib/settings.ts';
import { VERSION } from '../lib/shipped-files.ts';
import { StoreOpenError } from '../store/store.ts';
import { BackupError } from '../store/tools/backup-error.ts';
import { CliError, EXIT_CODES, usageError } from './cli-error.ts';
import { CurtCommand } from './command.ts';
import { addAccounts } from './commands/accounts.ts';
import { addAdministration } from './commands/administration.ts';
import { addBulk } from './commands/bulk.ts';
import { addCompletion } from './commands/completion.ts';
import { addDomains } from './commands/domains.ts';
import { addLinks } from './commands/links.ts';
import { addServer } from './commands/server.ts';
import { addShorten } from './commands/shorten.ts';
import { addStats } from './commands/statistics.ts';
import { addToken } from './commands/token.ts';
import { addTransfer } from './commands/transfer.ts';
import { type Context, readEnvironment } from './context.ts';
import { Output } from './terminal/output.ts';

const DASH_HINT =
  'If it is a value that begins with a dash, put "--" before it, after all options: curt delete --purge -- -x';

/**
 * Runs the command line.
 *
 * @param args without the program itself
 * @returns the exit code
 */
export async function run(args: string[]): Promise<number> {
  stopWithReader();
  const output = new Output(optionsOf(args).includes('--json'));
  try {
    const context: Context = { environment: readEnvironment(), output };
    await createProgram(context).parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    const failure = toCliError(error);
    if (!failure) return 0;
    // Commander has printed its own errors, except as JSON.
    if (!(error instanceof CommanderError) || output.json) output.failure(failure);
    else if (error.code === 'commander.unknownOption') output.note(DASH_HINT);
    return failure.exitCode;
  }
}

/** @returns undefined for help and version, which end a command as errors do */
function toCliError(error: unknown): CliError | undefined {
  if (error instanceof CliError) return error;
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return undefined;
    return usageError(error.message.replace(/^error: /, ''));
  }
  if (error instanceof SettingsError) return usageError(error.message);
  if (error instanceof StoreOpenError && error.reason === 'newer') {
    return new CliError('newer_version', error.message);
  }
  if (error instanceof BackupError) {
    const exit = error.code === 'damaged_backup' ? 'damaged' : 'usage';
    return new CliError(error.code, error.message, exit);
  }
  if (error instanceof StoreOpenError && error.reason === 'damaged') {
    return new CliError('damaged', error.message, 'damaged');
  }
  return new CliError('failed', error instanceof Error ? error.message : String(error));
}

function optionsOf(args: string[]): string[] {
  const end = args.indexOf('--');
  return end === -1 ? args : args.slice(0, end);
}

/** `curt list | head` ends when `head` does. */
function stopWithReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    process.stderr.write(`The output cannot be written: ${error.message}\n`);
    process.exit(1);
  });
}

/** Creates all commands. Each one loads what it needs when it runs, so that help and completion are quick. */
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
