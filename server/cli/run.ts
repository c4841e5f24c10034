import { CommanderError } from 'commander';
import { SettingsError } from '../lib/settings-error.ts';
import { StoreOpenError } from '../store/store.ts';
import { BackupError } from '../store/tools/backup-error.ts';
import { CliError, usageError } from './cli-error.ts';
import { type Context, readEnvironment } from './context.ts';
import { createProgram } from './program.ts';
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
  if (error instanceof BackupError) {
    const exit = error.code === 'damaged_backup' ? 'damaged' : 'usage';
    return new CliError(error.code, error.message, exit);
  }
  if (error instanceof StoreOpenError && error.isDamaged) {
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
    process.exit(error.code === 'EPIPE' ? 0 : 1);
  });
}
