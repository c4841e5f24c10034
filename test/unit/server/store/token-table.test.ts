import { expect, test } from 'vitest';
import { TokenTable } from '../../../../server/store/json-file/data/token-table.ts';

test('a token that was deleted before its use was written leaves nothing', () => {
  const table = new TokenTable();
  const token = { tokenHash: 'hash', id: '2', accountId: '1', name: '', created: 0 } as const;
  table.set({ ...token, scope: 'all' });
  table.setUse('hash', 20_000);
  expect([...table.records()]).toHaveLength(2);
  table.delete('hash');
  table.setUse('hash', 20_001);
  expect([...table.records()]).toEqual([]);
});
