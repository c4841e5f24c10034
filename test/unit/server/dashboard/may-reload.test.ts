import { expect, test } from 'vitest';
import { mayReload } from '../../../../server/dashboard/app/pages.tsx';

test('a page that cannot load a file loads itself again once, and not again at once', () => {
  const items = new Map<string, string>();
  const storage = {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  };
  const now = Date.UTC(2030, 0, 1);
  expect(mayReload(storage, now)).toBe(true);
  expect(mayReload(storage, now + 1_000)).toBe(false);
  expect(mayReload(storage, now + 60_000)).toBe(true);
});
