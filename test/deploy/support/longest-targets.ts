import { expect } from 'vitest';
import { TARGET_URL_MAX_CHARACTERS } from '../../../shared/bounds.ts';
import { createClient } from '../../../shared/client.ts';
import type { ShortenRequest } from '../../../shared/links/shorten-request.ts';
import { BROWSER } from '../../api/visits/visiting.ts';
import { dataOf } from '../../support/data-of.ts';

export type Answer = { status: number | undefined; location: string | undefined; body: string };
/** Sends a request through the proxy; with a form, by POST. */
export type Send = (path: string, form?: string) => Promise<Answer>;

const PASSWORD = 'password';
/** For a path, which the proxy must accept in one line of a request. */
const QUERY = `q=${'a'.repeat(7000)}`;

/** A URL that is as long as Curt accepts once it is percent-encoded. */
function longest(name: string, shorterBy = 0): { originalUrl: string; location: string } {
  const start = `https://example.com/${name}/`;
  const rest = TARGET_URL_MAX_CHARACTERS - shorterBy - start.length;
  const letters = Math.floor(rest / 6);
  const end = 'a'.repeat(rest - 6 * letters);
  return {
    originalUrl: start + 'é'.repeat(letters) + end,
    location: start + '%C3%A9'.repeat(letters) + end,
  };
}

/** Sends requests to an origin. */
export function sendTo(origin: string): Send {
  return async (path, form) => {
    const response = await fetch(origin + path, {
      redirect: 'manual',
      headers: { 'user-agent': BROWSER },
      ...(form !== undefined && { method: 'POST', body: new URLSearchParams(form) }),
    });
    const location = response.headers.get('location') ?? undefined;
    return { status: response.status, location, body: await response.text() };
  };
}

/**
 * Visits the longest targets through a proxy, in each way that leads to one.
 *
 * @param baseUrl of Curt itself, where the links are created
 */
export async function expectLongestTargets(baseUrl: string, send: Send): Promise<void> {
  const client = createClient({ baseUrl });
  const first = dataOf(await client.createLink({ body: { originalUrl: 'https://example.com' } }));
  const token = first.authToken;
  const create = async (link: Omit<ShortenRequest, 'customAlias'>) =>
    dataOf(await client.createLink({ body: link, token })).alias;
  const redirect = (status: number, location: string) =>
    expect.objectContaining({ status, location });

  const plain = longest('plain');
  const alias = await create({ originalUrl: plain.originalUrl, maxVisits: 1 });
  expect(await send(`/${alias}`)).toEqual(redirect(302, plain.location));

  const short = longest('query', QUERY.length + 1);
  const forwarding = await create({ originalUrl: short.originalUrl, forwardQuery: true });
  expect(await send(`/${forwarding}?${QUERY}`)).toEqual(
    redirect(302, `${short.location}?${QUERY}`),
  );

  const secret = longest('secret');
  const locked = await create({ originalUrl: secret.originalUrl, password: PASSWORD });
  expect(await send(`/${locked}`, `password=${PASSWORD}`)).toEqual(redirect(303, secret.location));

  const previewed = longest('preview');
  const preview = await create({ originalUrl: previewed.originalUrl, customGtmId: 'GTM-ABC1234' });
  const page = await send(`/${preview}`);
  const go = new RegExp(`/${preview}/go\\?t=[^"&\\s]+`).exec(page.body)?.[0] ?? 'no go-link';
  expect(await send(go)).toEqual(redirect(302, previewed.location));

  const gone = longest('gone');
  const paused = await create({ originalUrl: 'https://example.com', goneUrl: gone.originalUrl });
  dataOf(await client.editLink({ token, alias: paused, body: { isActive: false } }));
  expect(await send(`/${paused}`)).toEqual(redirect(302, gone.location));
}
