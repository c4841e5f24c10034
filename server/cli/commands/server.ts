import type { CurtCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { withSpinner } from '../terminal/progress.ts';

export function addServer(program: CurtCommand, context: Context): void {
  program
    .command('serve')
    .description('start the server, with settings from the environment')
    .examples(
      'curt serve',
      'BASE_URL=https://s.example.com STORE_URL=file:///var/lib/curt curt serve',
    )
    .action(async () => {
      // The server itself: it listens once it is imported.
      await import('../../main.ts');
    });

  program
    .command('migrate')
    .description('bring the tables of the PostgreSQL database to this version')
    .addHelpText(
      'after',
      '\nThe server does the same when it starts, if its role may create tables.',
    )
    .examples('STORE_URL=postgres://owner:password@db.example.com/curt curt migrate')
    .action(() => migrate(context));
}

async function migrate(context: Context): Promise<void> {
  const { migrate: migrateTables } = await import('../../store/tools/migrate.ts');
  const applied = await withSpinner(context, 'Migrating the database', () =>
    migrateTables(context.environment.storeUrl),
  );
  const text =
    applied.length === 0 ? 'The tables are up to date.' : applied.map((name) => `Applied ${name}`);
  context.output.result({ applied }, text);
}
