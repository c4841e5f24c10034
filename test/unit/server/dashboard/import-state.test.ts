import { expect, test } from 'vitest';
import { createImportState } from '../../../../server/dashboard/account/transfer/import-state.ts';
import type { ImportReport } from '../../../../shared/links/transfer.ts';

/** Starts a run, and chooses the next file before the server answers. */
async function chooseDuring(dryRun: boolean) {
  const counts = { rows: 1, imported: 1, renamed: 0, duplicates: 0, failed: 0 };
  const report: ImportReport = { dryRun, ...counts, results: [] };
  const answer = Promise.withResolvers<void>();
  let reads = 0;
  const api = {
    call: async () => {
      await answer.promise;
      return { ok: true, data: report };
    },
  } as unknown as Parameters<typeof createImportState>[0]['api'];
  const refresh = async () => void reads++;
  const state = createImportState({ api, origin: 'https://curt.example' }, { refresh });
  state.choose(new File(['[]'], 'one.json'));
  const run = state.run(dryRun);
  state.choose(new File(['[]'], 'two.json'));
  answer.resolve();
  await run;
  return { shown: state.report.value, reads };
}

test('what was imported is shown, also if another file is chosen meanwhile', async () => {
  expect(await chooseDuring(false)).toMatchObject({ shown: { imported: 1 }, reads: 1 });
});

test('a check of one file says nothing once another one is chosen', async () => {
  expect(await chooseDuring(true)).toEqual({ shown: undefined, reads: 0 });
});
