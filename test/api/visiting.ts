import type { LightMyRequestResponse } from 'fastify';
import { expect } from 'vitest';
import type { Link } from '../../server/store/store.ts';
import { targetOf, wishFor } from '../store/contract.ts';
import type { TestService } from './support.ts';

/** A browser's: the one that `app.inject` sends by itself is a known bot. */
export const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0';

type VisitOptions = {
  method?: 'GET' | 'HEAD' | 'POST';
  headers?: Record<string, string>;
  /** The password form, filled in and sent. */
  form?: Record<string, string>;
  remoteAddress?: string;
};

/** A visit as a browser makes it. */
export async function visit(
  { app }: Pick<TestService, 'app'>,
  url: string,
  { method, headers, form, remoteAddress }: VisitOptions = {},
): Promise<LightMyRequestResponse> {
  return app.inject({
    method: method ?? (form ? 'POST' : 'GET'),
    url,
    headers: {
      'user-agent': BROWSER,
      accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
      ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
      ...headers,
    },
    ...(form && { payload: new URLSearchParams(form).toString() }),
    ...(remoteAddress && { remoteAddress }),
  });
}

/** Hits may lag by a second: asks until they are as many. */
export async function expectHits({ store }: TestService, alias: string, hits: number) {
  await expect.poll(async () => (await store.findLink(alias))?.hits, { timeout: 2000 }).toBe(hits);
}

/** The go-link that a preview page holds. */
export function goLinkOf(page: LightMyRequestResponse): string {
  const path = /data-go="([^"]+)"/.exec(page.body)?.[1];
  if (path === undefined) throw new Error(`there is no go-link in the page:\n${page.body}`);
  return path;
}

/** Puts a link into the store that the API cannot make, such as an inactive one. */
export async function keepLink({ store, clock }: TestService, link: Partial<Link>): Promise<void> {
  const { alias = 'kept', ...fields } = link;
  const wish = wishFor(alias, {
    newAccount: { id: 'account', tokenHash: `hash-${alias}`, created: clock.now },
  });
  const outcome = await store.addLink({
    ...wish,
    link: {
      ...wish.link,
      id: `id-${alias}`,
      accountId: 'account',
      created: clock.now,
      modified: clock.now,
      ...(fields.originalUrl !== undefined && targetOf(fields.originalUrl)),
      ...fields,
    },
  });
  expect(outcome.kind).toBe('added');
}
