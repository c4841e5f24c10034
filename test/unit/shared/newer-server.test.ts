import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ADMIN_ENDPOINTS } from '../../../shared/api/admin-endpoints.ts';
import { createApiClient } from '../../../shared/api/client.ts';
import type { EndpointSchemas } from '../../../shared/api/endpoint.ts';
import { ENDPOINTS } from '../../../shared/api/endpoints.ts';
import type { Result } from '../../../shared/client.ts';

/** By which a client recognizes an answer, or a server. */
const RECOGNIZED = /^\.(status|service)$/;
const NEWER = 'of_a_newer_server';

/** Values of texts that are more than any text. */
const TEXTS: Record<string, string> = {
  shortUrl: 'https://s.example/Page',
  originalUrl: 'https://example.com/',
  goneUrl: 'https://example.com/',
  imageUrl: 'https://example.com/',
  token: `curt_${'t'.repeat(43)}`,
  newAuthToken: `curt_${'t'.repeat(43)}`,
  timeZone: 'Europe/Berlin',
  language: 'de',
  country: 'CH',
};

const FORMATS: Record<string, string> = {
  'date-time': '2030-01-31T12:00:00Z',
  date: '2030-01-31',
  uri: 'https://s.example',
};

const ALL = { ...ENDPOINTS, ...ADMIN_ENDPOINTS };
const CASES = (Object.entries(ALL) as [keyof typeof ALL, EndpointSchemas][]).flatMap(
  ([name, { answer, answersFile }]) =>
    answer && !answersFile ? answersOf(answer).map((each) => ({ name, ...each })) : [],
);

describe('a client reads', () => {
  test.each(CASES)('what $name answers, with $place', async ({ name, body }) => {
    expect(await call(name, body)).toMatchObject({ ok: true });
  });

  test('each enum of each answer in these tests, and an error code', async () => {
    expect(CASES.filter(({ place }) => place.startsWith('an unknown')).length).toBeGreaterThan(50);
    const body = { success: false, message: 'No more tea.', code: NEWER };
    const failure = { ok: false, code: 'internal', message: 'No more tea.' };
    expect(await call('getAccount', body, 418)).toMatchObject(failure);
  });
});

/** Calls a client whose server answers with this body. */
function call(name: keyof typeof ALL, body: unknown, status = 200): Promise<Result<unknown>> {
  const client = createApiClient(ALL, {
    baseUrl: 'http://localhost:2878',
    fetch: async () => Response.json(body, { status }),
  });
  return (client[name] as (input: object) => Promise<Result<unknown>>)({ body: {} });
}

type Answer = { place: string; body: unknown };
type Json = z.core.JSONSchema.JSONSchema & { anyOf?: Json[] };

/** Returns an answer that has everything, and for each of its enums one with an unknown value. */
function answersOf(schema: z.ZodType): Answer[] {
  const json = z.toJSONSchema(schema, { io: 'input' }) as Json;
  const resolve = (each: Json) => {
    const [, name = ''] = each.$ref?.match(/^#\/\$defs\/(.*)$/) ?? [];
    return (json.$defs?.[name] as Json | undefined) ?? each;
  };
  return valuesOf(json, '', resolve);
}

function valuesOf(reference: Json, place: string, resolve: (schema: Json) => Json): Answer[] {
  const schema = resolve(reference);
  const [name = ''] = place.match(/\w+$/) ?? [];
  const known = (body: unknown) => ({ place: 'known values', body });
  const values = schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
  if (values) {
    const isOpen = typeof values[0] === 'string' && !RECOGNIZED.test(place);
    return [known(values[0]), ...(isOpen ? [{ place: `an unknown ${place}`, body: NEWER }] : [])];
  }
  if (schema.anyOf) return schema.anyOf.flatMap((each) => valuesOf(each, place, resolve));
  const [type] = [schema.type].flat();
  switch (type) {
    case 'object': {
      const all = Object.entries(schema.properties ?? {}).map(([key, each]) => {
        return [key, valuesOf(each as Json, `${place}.${key}`, resolve)] as const;
      });
      const first = Object.fromEntries(all.map(([key, [value]]) => [key, value?.body]));
      const others = all.flatMap(([key, [, ...more]]) =>
        more.map(({ place, body }) => ({ place, body: { ...first, [key]: body } })),
      );
      return [known(first), ...others];
    }
    case 'array':
      return valuesOf(schema.items as Json, `${place}[]`, resolve).map(({ place, body }) => ({
        place,
        body: Array.from({ length: schema.minItems ?? 1 }, () => body),
      }));
    case 'string':
      return [known(TEXTS[name] ?? (schema.format ? FORMATS[schema.format] : 'text'))];
    case 'boolean':
      return [known(true)];
    case 'null':
      return [known(null)];
    default:
      return [known(1)];
  }
}
