import { describe, expect, test } from 'vitest';
import { call, makeLink, START, sharedService, startService } from '../support.ts';

const PHONE = { device: 'phone', originalUrl: 'https://phone.example/' };
const ISO = (time: number) => new Date(time).toISOString();

test('GET /api/health says whether rules can name countries, and links can have containers', async () => {
  const url = '/api/health';
  const { app } = await startService();
  const answer = (await app.inject({ url })).json();
  expect(answer).toMatchObject({ hasContainers: true });
  expect(answer).not.toHaveProperty('hasCountries');
  const env = { COUNTRY_HEADER: 'cf-ipcountry', CUSTOM_GTM: 'off' };
  const other = (await (await startService({ env })).app.inject({ url })).json();
  expect(other).toMatchObject({ hasCountries: true });
  expect(other).not.toHaveProperty('hasContainers');
});

describe('POST /api/shorten', () => {
  const shared = sharedService();

  test('keeps rules, start, fallback and card, in the form that records have', async () => {
    const service = await startService({ env: { COUNTRY_HEADER: 'cf-ipcountry' } });
    const { rules, startsAt, hideUntilStart, goneUrl, card, status } = await makeLink(service, {
      rules: [
        {
          language: 'de-ch',
          country: 'CH',
          query: { name: 'src', value: 'qr' },
          from: '2026-12-01T01:00+01:00',
          share: 30,
          originalUrl: ' bücher.example/ä ',
        },
        PHONE,
      ],
      startsAt: '2026-11-21T13:00:00+01:00',
      hideUntilStart: true,
      goneUrl: '//example.com/gone',
      card: { title: 'Launch', imageUrl: 'https://example.com/a b.png' },
    });
    expect({ rules, startsAt, hideUntilStart, goneUrl, card, status }).toEqual({
      rules: [
        {
          language: 'de-CH',
          country: 'CH',
          query: { name: 'src', value: 'qr' },
          from: '2026-12-01T00:00:00.000Z',
          share: 30,
          originalUrl: 'https://xn--bcher-kva.example/%C3%A4',
        },
        PHONE,
      ],
      startsAt: '2026-11-21T12:00:00.000Z',
      hideUntilStart: true,
      goneUrl: 'https://example.com/gone',
      card: { title: 'Launch', imageUrl: 'https://example.com/a%20b.png' },
      status: 'scheduled',
    });
  });

  test.each<[string, unknown, string]>([
    ['a rule without a condition', { rules: [{ originalUrl: 'https://a.example' }] }, 'rules.0'],
    ['an unknown condition', { rules: [PHONE, { ...PHONE, os: 'iOS' }] }, 'rules.1.os'],
    ['an unknown device', { rules: [{ ...PHONE, device: 'watch' }] }, 'rules.0.device'],
    ['no language', { rules: [{ ...PHONE, language: 'd' }] }, 'rules.0.language'],
    ['a small country', { rules: [{ ...PHONE, country: 'ch' }] }, 'rules.0.country'],
    ['a nameless parameter', { rules: [{ ...PHONE, query: { name: '' } }] }, 'rules.0.query.name'],
    ['a share of nobody', { rules: [{ ...PHONE, share: 0 }] }, 'rules.0.share'],
    ['a share of more than everybody', { rules: [{ ...PHONE, share: 101 }] }, 'rules.0.share'],
    [
      'a time that ends before it begins',
      { rules: [{ ...PHONE, from: '2027-01-01T00:00:00Z', until: '2026-01-01T00:00:00Z' }] },
      'rules.0.until',
    ],
    ['a time without an offset', { startsAt: '2027-01-01T00:00:00' }, 'startsAt'],
    ['a time in the year 10000', { startsAt: '9999-12-31T23:00:00-02:00' }, 'startsAt'],
    ['21 rules', { rules: Array(21).fill(PHONE) }, 'rules'],
    ['an empty card', { card: {} }, 'card'],
    ['a picture that is no URL', { card: { imageUrl: 'data:image/png;base64,' } }, 'card.imageUrl'],
    [
      'a start after the expiry',
      { startsAt: ISO(START + 7_200_000), expiresInHours: 1 },
      'startsAt',
    ],
    [
      'a country that the server does not know',
      { rules: [{ ...PHONE, country: 'CH' }] },
      'rules.0.country',
    ],
  ])('answers 400 to %s', async (_, fields, path) => {
    const service = shared();
    const { authToken: token } = await makeLink(service);
    const body = { originalUrl: 'https://example.com', ...(fields as object) };
    const response = await call(service, 'POST /api/shorten', { token, body });
    expect(response.statusCode).toBe(400);
    expect(response.json().issues.map((issue: { path: string }) => issue.path)).toEqual([path]);
  });

  test.each([
    ['UK', 'Must be a country of ISO 3166-1. Use GB instead.'],
    ['EU', 'Must be a country of ISO 3166-1, such as CH.'],
    ['ch', 'Must be two capital letters, such as CH.'],
  ])('says which code is meant by the country %s', async (country, message) => {
    const service = shared();
    const body = { originalUrl: 'https://example.com', rules: [{ ...PHONE, country }] };
    const response = await call(service, 'POST /api/shorten', { body });
    expect(response.json().issues).toEqual([{ path: 'rules.0.country', message }]);
  });
});
