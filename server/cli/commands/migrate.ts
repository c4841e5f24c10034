import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { withSpinner } from '../terminal/progress.ts';

export function addMigrate(program: Command, context: Context): void {
  program
    .command('migrate')
    .description('bring the tables of the PostgreSQL database to this version')
    .addHelpText('after', EXAMPLES)
    .action(() => run(context));
}

async function run(context: Context): Promise<void> {
  const { databaseTools } = await import('../../store/database-tools.ts');
  const applied = await withSpinner(context, 'Migrating the database', () =>
    databaseTools.migrate(context.environment.storeUrl),
  );
  const text =
    applied.length === 0 ? 'The tables are up to date.' : applied.map((name) => `Applied ${name}`);
  context.output.result({ applied }, text);
}

const EXAMPLES = `
The server does the same when it starts, if its role may create tables.

Examples:
  $ STORE_URL=postgres://owner:password@db.example.com/curt curt migrate`;
