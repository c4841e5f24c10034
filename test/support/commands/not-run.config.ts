import { NotRunReporter } from '../not-run-reporter.ts';

/** What the tests of `not-run.ts` need of the configuration. */
export default {
  test: {
    include: ['test/support/commands/not-run.ts'],
    setupFiles: ['test/support/remember-file.ts'],
    reporters: ['default', new NotRunReporter()],
  },
};
