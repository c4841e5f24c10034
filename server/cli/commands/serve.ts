import type { Command } from 'commander';

export function addServe(program: Command): void {
  program
    .command('serve')
    .description('start the server, with settings from the environment')
    .addHelpText('after', EXAMPLES)
    .action(async () => {
      // The server itself: it listens once it is imported.
      await import('../../main.ts');
    });
}

const EXAMPLES = `
Examples:
  $ curt serve
  $ BASE_URL=https://s.example.com STORE_URL=file:///var/lib/curt curt serve`;
