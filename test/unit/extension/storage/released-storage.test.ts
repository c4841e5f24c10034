import { beforeEach, expect, test } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { localItems } from '../../../../extension/storage/items.ts';
import { RELEASED, readReleased } from '../../../fixtures/formats/released.ts';

beforeEach(() => fakeBrowser.reset());

test.each(RELEASED)(
  'what the extension %s has stored is read with every value',
  async (version) => {
    const stored = JSON.parse(await readReleased(version, 'extension.json'));
    await fakeBrowser.storage.local.set(stored);
    const names = localItems.map(({ key }) => key.replace('local:', ''));
    expect(names).toEqual(expect.arrayContaining(Object.keys(stored)));
    for (const item of localItems) {
      const before = stored[item.key.replace('local:', '')];
      if (before !== undefined) expect(await item.read()).toEqual(before);
      expect(await item.findQuarantined()).toBeUndefined();
    }
  },
);

test('the stored values of the extension 1.0 have every item', async () => {
  const stored = JSON.parse(await readReleased('1.0', 'extension.json'));
  const names = localItems.map(({ key }) => key.replace('local:', ''));
  expect(Object.keys(stored).sort()).toEqual(names.sort());
});
