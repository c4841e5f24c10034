import { beforeEach, describe, expect, test } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import {
  readPolicy,
  readSettings,
  saveSettings,
} from '../../../../../extension/background/data/settings.ts';
import {
  policySchema,
  toManagedSchema,
} from '../../../../../extension/messaging/settings-schema.ts';
import { storedSettings } from '../../../../../extension/storage/items.ts';

beforeEach(() => fakeBrowser.reset());

const setPolicy = async (policy: Record<string, unknown>) => {
  await fakeBrowser.storage.managed.clear();
  await fakeBrowser.storage.managed.set(policy);
};

describe('a policy', () => {
  test('sets the settings, which nobody can change, until it no longer does', async () => {
    await saveSettings({ serverOrigin: 'https://own.example', skipPopup: true, copyAtOnce: false });
    await setPolicy({ server: 's.example.com/page', skipPopup: false, copyFormat: 'markdown' });
    expect(await readSettings()).toMatchObject({
      serverOrigin: 'https://s.example.com',
      skipPopup: false,
      copyAtOnce: false,
      copyFormat: 'markdown',
    });
    const { fixed, invalid } = await readPolicy();
    expect([fixed.sort(), invalid]).toEqual([['copyFormat', 'serverOrigin', 'skipPopup'], []]);

    const saved = await saveSettings({
      serverOrigin: 'https://other.example',
      skipPopup: true,
      copyAtOnce: true,
    });
    expect(saved).toMatchObject({
      serverOrigin: 'https://s.example.com',
      skipPopup: false,
      copyAtOnce: true,
    });
    await setPolicy({});
    expect(await readSettings()).toMatchObject({
      serverOrigin: 'https://own.example',
      skipPopup: true,
      copyAtOnce: true,
      copyFormat: 'url',
    });
    await setPolicy({ skipPopup: true });
  });

  test.each<[string, unknown]>([
    ['server', 'exa mple.com'],
    ['server', 'ftp://s.example.com'],
    ['server', ''],
    ['server', 5],
    ['skipPopup', 'yes'],
    ['copyFormat', 'html'],
    ['preferCanonical', 1],
    ['servr', 'https://s.example.com'],
    ['serverOrigin', 'https://s.example.com'],
    ['toString', true],
  ])('is in force except for %s: %j, which is reported', async (name, value) => {
    const before = await readSettings();
    await saveSettings({ copyAtOnce: false });
    await setPolicy({ [name]: value, warnAboutSecrets: false });
    expect(await readPolicy()).toMatchObject({ fixed: ['warnAboutSecrets'], invalid: [name] });
    expect(await readSettings()).toEqual({ ...before, copyAtOnce: false, warnAboutSecrets: false });
    expect(await storedSettings.read()).toEqual({ copyAtOnce: false });
  });

  test('can fix every setting', async () => {
    const names = Object.keys(await readSettings()).map((name) =>
      name === 'serverOrigin' ? 'server' : name,
    );
    expect(Object.keys(policySchema.shape).sort()).toEqual(names.sort());
  });

  test('is absent where the browser has none, as Firefox says with an error', async () => {
    const { managed } = fakeBrowser.storage;
    const { get } = managed;
    managed.get = () => Promise.reject(new Error('Managed storage manifest not found'));
    try {
      expect(await readPolicy()).toEqual({ values: {}, fixed: [], invalid: [] });
    } finally {
      managed.get = get;
    }
  });
});

test('the schema for Chromium has only what it knows: typed properties with descriptions', () => {
  const { type, properties = {}, ...rest } = toManagedSchema();
  expect([type, rest]).toEqual(['object', {}]);
  expect(Object.keys(properties)).toEqual(Object.keys(policySchema.shape));
  for (const [name, property] of Object.entries(properties)) {
    const { type, description, enum: values, ...others } = property as Record<string, unknown>;
    expect(['string', 'boolean'], name).toContain(type);
    expect(description, name).toMatch(/\.$/);
    if (values) expect(type).toBe('string');
    expect(others, name).toEqual({});
  }
});
