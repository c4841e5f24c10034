import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { policySchema, toManagedSchema } from '../../extension/messaging/settings-schema.ts';

const text = await readFile(join(import.meta.dirname, '../../docs/managed-extension.md'), 'utf8');
const examples = [...text.matchAll(/```json\n([\s\S]+?)```/g)].map(([, json = '']) =>
  JSON.parse(json),
);
const isValid = new Ajv2020().compile({ ...toManagedSchema(), additionalProperties: false });

test.each([
  ['Chrome', () => Object.values(examples[0]['3rdparty'].extensions)],
  [
    'the Admin console',
    () => [
      Object.fromEntries(
        Object.entries<{ Value: unknown }>(examples[1]).map(([name, { Value }]) => [name, Value]),
      ),
    ],
  ],
  ['Firefox', () => Object.values(examples[2].policies['3rdparty'].Extensions)],
])('the example for %s is a valid policy', (_, read) => {
  const [policy, ...others] = read();
  expect(others).toEqual([]);
  expect(Object.keys(policy as object).length).toBeGreaterThan(1);
  expect(isValid(policy), JSON.stringify(isValid.errors)).toBe(true);
  expect(policySchema.strict().safeParse(policy).success).toBe(true);
});

test('the schema rejects other names and values', () => {
  for (const policy of [{ servr: 'x' }, { server: 1 }, { copyFormat: 'html' }]) {
    expect(isValid(policy)).toBe(false);
  }
});

test('the table has every setting, as the schema describes it', () => {
  const { properties = {} } = toManagedSchema();
  const rows = [...text.matchAll(/^\| `(\w+)` \| .+ \| (.+) \|$/gm)].map(
    ([, name, description]) => [name, description],
  );
  const described = Object.entries(properties).map(([name, property]) => [
    name,
    (property as { description?: string }).description,
  ]);
  expect(rows).toEqual(described);
});
