import { describe, expect, test } from 'vitest';
import type { LinkFilter } from '../../../shared/links/link-list.ts';
import type { LinkRecord } from '../../../shared/links/link-record.ts';
import {
  definitionOf,
  eachExactField,
  FILTER_FIELDS,
  PLAIN_NAMES,
} from '../../../shared/links/plain-fields.ts';
import { domainOf } from '../../store/contract/domains.ts';
import { invalidValuesOf, valuesOf } from '../../support/field-values.ts';
import { call, makeLink, startService } from '../support.ts';
import { exportFile, importFile, newAccount } from '../transfer/support.ts';

const URL = 'https://example.com/"%_\\';

const fieldsOf = (which: 0 | 1) =>
  Object.fromEntries(PLAIN_NAMES.map((name) => [name, valuesOf(name)[which]]));
const plainOf = (link: Record<string, unknown>) =>
  Object.fromEntries(PLAIN_NAMES.map((name) => [name, link[name]]));

describe('every field of a link', () => {
  test('is edited alone, and stays the same after a restart, an export and an import', async () => {
    const service = await startService();
    const made = await makeLink(service, { customAlias: 'all', ...fieldsOf(0) });
    const { authToken: token } = made;
    const expected = { ...fieldsOf(0) };
    expect(plainOf(made)).toEqual(expected);
    for (const name of PLAIN_NAMES) {
      expected[name] = valuesOf(name)[1];
      const body = { [name]: expected[name] };
      const { data } = (await call(service, 'PATCH /api/links/all', { token, body })).json();
      expect(plainOf(data)).toEqual(expected);
    }
    await call(service, 'PATCH /api/links/all', { token, body: fieldsOf(0) });
    await service.close();
    const again = await startService({ data: service.data });
    const listed = (await call(again, 'GET /api/links', { token })).json().data;
    expect(listed.map(plainOf)).toEqual([fieldsOf(0)]);
    for (const [format, type] of [
      ['json', 'application/json'],
      ['csv', 'text/csv'],
    ] as const) {
      const file = await exportFile(again, { format }, token);
      const other = await newAccount(again);
      await importFile(again, undefined, file, { token: other, type });
      const { data } = (await call(again, 'GET /api/links?tag=a+tags', { token: other })).json();
      expect([format, data.map(plainOf)]).toEqual([format, [fieldsOf(0)]]);
    }
  });

  test('is refused with a value that it cannot have, which changes nothing', async () => {
    const service = await startService();
    const { authToken: token } = await makeLink(service, { customAlias: 'all', ...fieldsOf(0) });
    for (const name of PLAIN_NAMES) {
      for (const value of invalidValuesOf(name)) {
        const fields = { [name]: value };
        const answers = [
          await call(service, 'POST /api/shorten', {
            token,
            body: { originalUrl: URL, ...fields },
          }),
          await call(service, 'PATCH /api/links/all', { token, body: fields }),
        ];
        for (const answer of answers) {
          expect([name, value, answer.statusCode]).toEqual([name, value, 400]);
          const [issue] = answer.json().issues;
          expect(issue.path.split('.')[0]).toBe(name);
        }
      }
    }
    const { data } = (await call(service, 'GET /api/links', { token })).json();
    expect(data.map(plainOf)).toEqual([fieldsOf(0)]);
  });

  test('is compared by `reuse`, unless the request leaves it out and the table says so', async () => {
    const service = await startService();
    const { authToken: token } = await makeLink(service);
    for (const name of PLAIN_NAMES) {
      const originalUrl = `https://example.com/${name}`;
      const [one, other] = valuesOf(name);
      const reuse = async (fields: object) =>
        (await makeLink(service, { originalUrl, reuse: true, ...fields }, { token })).id;
      const { id } = await makeLink(service, { originalUrl, [name]: one }, { token });
      expect([name, await reuse({ [name]: one })]).toEqual([name, id]);
      const isReused = (await reuse({})) === id;
      const compared = definitionOf(name).comparedForReuse;
      expect([name, isReused]).toEqual([name, compared !== undefined]);
      const isReusedWithOther = (await reuse({ [name]: other })) === id;
      expect([name, isReusedWithOther]).toEqual([name, compared === 'never']);
    }
  });
});

/** What finds a link by each filter. */
type Found = LinkRecord & { importId: string | null };
const FILTERS: { [K in keyof LinkFilter]-?: (link: Found) => unknown } = {
  q: ({ title }) => title,
  tag: ({ tags }) => tags[0]?.toUpperCase() ?? '',
  domain: ({ domain }) => domain,
  status: ({ status }) => status,
  ...eachExactField((name) => (link) => link[name]),
};

describe('every filter of links', () => {
  /** One that all filters find, among those that are like it, but that none finds. */
  async function startWithLinks() {
    const service = await startService();
    await service.store.administration.addDomain(domainOf('go.example'));
    const { authToken: token } = await makeLink(service, {
      customAlias: 'near',
      ...{ ...fieldsOf(1), originalUrl: `${URL}2`, tags: ['A tag'], title: 'A' },
    });
    await makeLink(service, { customAlias: 'folded', originalUrl: URL.toUpperCase() }, { token });
    const importOne = (link: object) => importFile(service, 'curt', [link], { token });
    await importOne({ alias: 'imported', originalUrl: 'https://example.com/' });
    const wanted = { domain: 'go.example', originalUrl: URL, ...fieldsOf(0) };
    const { importId } = await importOne({ alias: 'wanted', customAlias: 'wanted', ...wanted });
    const body = { isActive: false };
    const at = 'PATCH /api/links/wanted?domain=go.example';
    const { data: link } = (await call(service, at, { token, body })).json();
    const send = async (request: string, sent?: object) => {
      const response = await call(service, request, { token, body: sent });
      expect([request, response.statusCode]).toEqual([request, 200]);
      return response.json();
    };
    const query = Object.fromEntries(
      Object.entries(FILTERS).map(([name, toValue]) => [
        name,
        String(toValue({ ...link, importId }) ?? ''),
      ]),
    );
    return { send, query };
  }

  test('lists, counts and changes exactly the links that match', async () => {
    const { send, query } = await startWithLinks();
    const found = ['go.example/wanted'];
    for (const filter of [...Object.entries(query).map((one) => [one]), Object.entries(query)]) {
      const asked = new URLSearchParams(filter);
      const { data, total } = await send(`GET /api/links?${asked}`);
      expect([`${asked}`, data.map(({ shortUrl }: LinkRecord) => shortUrl), total]).toEqual([
        `${asked}`,
        ['https://go.example/wanted'],
        { count: 1, isExact: true },
      ]);
      const counted = await send(`DELETE /api/links?${asked}&dryRun=true`);
      expect([`${asked}`, counted.data.matched]).toEqual([`${asked}`, 1]);
      const removed = await send(`DELETE /api/links?${asked}`);
      expect([`${asked}`, removed.data.changed]).toEqual([`${asked}`, found]);
      expect((await send('GET /api/links')).total.count).toBe(3);
      await send('PATCH /api/links', { aliases: found, isDeleted: false });
    }
  });

  test('is refused with a value that no link can have', async () => {
    const service = await startService();
    const token = await newAccount(service);
    const ofFields = FILTER_FIELDS.flatMap((name) =>
      definitionOf(name).control === 'number'
        ? invalidValuesOf(name).map((value) => [name, String(value)])
        : [],
    );
    for (const [name, value] of [['status', 'lost'], ...ofFields]) {
      for (const method of ['GET', 'DELETE']) {
        const answer = await call(service, `${method} /api/links?${name}=${value}`, { token });
        expect([name, value, answer.statusCode]).toEqual([name, value, 400]);
        expect(answer.json().issues[0].path).toBe(name);
      }
    }
  });

  test('by words looks in the fields of which the table says so, and in no others', async () => {
    const { send } = await startWithLinks();
    for (const name of PLAIN_NAMES) {
      const word = [valuesOf(name)[0]].flat()[0];
      if (typeof word !== 'string') continue;
      const { data } = await send(`GET /api/links?${new URLSearchParams({ q: word })}`);
      const isSearched = definitionOf(name).searchedAs !== undefined;
      expect([name, data.length > 0]).toEqual([name, isSearched]);
    }
  });
});
