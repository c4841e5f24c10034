import { expect, test } from 'vitest';
import {
  describeApi,
  type Promised,
  WITH_ALL_ENDPOINTS,
} from '../../fixtures/formats/describe-api.ts';
import { RELEASED, readReleased } from '../../fixtures/formats/released.ts';
import { startOnce, startService } from '../support.ts';

const promise = startOnce(async (atEnd) => {
  const { app } = await startService({ env: WITH_ALL_ENDPOINTS }, atEnd);
  return describeApi(app);
});

/** What is missing of what there was. */
function without(now: readonly string[] = [], before: readonly string[]): string[] {
  const has = new Set(now);
  return before.filter((each) => !has.has(each));
}

function withoutFields(now: Record<string, string[]>, before: Record<string, string[]>) {
  return Object.entries(before).flatMap(([operation, fields]) =>
    without(now[operation], fields).map((field) => `${operation}: ${field}`),
  );
}

test.each(RELEASED)('everything that programs can use of Curt %s is there', async (version) => {
  const before: Promised = JSON.parse(await readReleased(version, 'api.json'));
  const now = promise();
  expect({
    operations: without(Object.keys(now.operations), Object.keys(before.operations)),
    fields: withoutFields(now.operations, before.operations),
    errorCodes: without(now.errorCodes, before.errorCodes),
    settings: without(now.settings, before.settings),
    commands: without(now.commands, before.commands),
  }).toEqual({ operations: [], fields: [], errorCodes: [], settings: [], commands: [] });
  expect(now.exitCodes).toMatchObject(before.exitCodes);
});

test.each(RELEASED)('a request that Curt %s takes needs no more today', async (version) => {
  const before: Promised = JSON.parse(await readReleased(version, 'api.json'));
  const known = Object.keys(before.operations);
  const required = Object.entries(promise().required).filter(([name]) => known.includes(name));
  expect(withoutFields(before.required, Object.fromEntries(required))).toEqual([]);
});

test.each(RELEASED)('a request can be as large and as small as with Curt %s', async (version) => {
  const before: Promised = JSON.parse(await readReleased(version, 'api.json'));
  const { maxima, minima } = promise();
  /** The limits of what there was then, without which it was unlimited. */
  const known = (limits: Record<string, number>) =>
    Object.entries(limits).filter(([name]) => {
      const [, operation = '', path = ''] = /^(.*): (.*) \w+$/.exec(name) ?? [];
      return before.operations[operation]?.some((field) => field.startsWith(`${path}: `));
    });
  expect(known(maxima)).not.toEqual([]);
  const narrowed = [
    ...known(maxima).filter(
      ([name, max]) => max < (before.maxima[name] ?? Number.POSITIVE_INFINITY),
    ),
    ...known(minima).filter(
      ([name, min]) => min > (before.minima[name] ?? Number.NEGATIVE_INFINITY),
    ),
  ];
  expect(narrowed).toEqual([]);
});
