import { inject } from 'vitest';
import { notRun } from '../../../support/not-run.ts';
import type { BrowserKind } from '../setup/find-browser.ts';

/** Path of the browser that was found before the tests. Without one, the test that asks is not run. */
export function executableOf(kind: BrowserKind): string {
  const { path, missing } = inject(kind);
  return path ?? notRun(missing);
}
