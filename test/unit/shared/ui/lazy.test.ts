import { expect, test } from 'vitest';
import { lazy } from '../../../../shared/ui/lazy.ts';

test('a component that fails to load is loaded again with the next attempt, and then kept', async () => {
  let attempts = 0;
  const component = lazy(async () => {
    attempts++;
    if (attempts === 1) throw new TypeError('Failed to fetch dynamically imported module');
    return () => null;
  });
  await expect(component.preload()).rejects.toThrow('Failed to fetch');
  await component.preload();
  await component.preload();
  expect(attempts).toBe(2);
});
