import type { LightMyRequestResponse } from 'fastify';
import { expect } from 'vitest';
import type { Link } from '../../../server/store/link.ts';
import { newLink, targetOf } from '../../store/contract.ts';
import type { TestService } from '../support.ts';

/** A browser's `User-Agent`: the default of `app.inject` counts as a bot. */
export const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0';

type VisitOptions = {
  method?: 'GET' | 'HEAD' | 'POST';
  headers?: Record<string, string>;
  /** The submitted password form. */
  form?: Record<string, string>;
  remoteAddress?: string;
};

/** A visit with the headers of a browser. */
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

/** Visits and hits are stored within a second. */
export function storeVisits({ clock }: Pick<TestService, 'clock'>): Promise<void> {
  return clock.advance(1000);
}

/** Checks the hits of a link once they are stored. */
export async function expectHits(service: TestService, alias: string, hits: number) {
  await storeVisits(service);
  expect((await service.store.findLink(alias))?.hits).toBe(hits);
}

/** The go-link in a preview page. */
export function goLinkOf(page: LightMyRequestResponse): string {
  const path = /data-go="([^"]+)"/.exec(page.body)?.[1];
  if (path === undefined) throw new Error(`there is no go-link in the page:\n${page.body}`);
  return path;
}

/** Adds a link to the store that the API cannot create, such as an inactive one. */
export async function addLink({ store, clock }: TestService, link: Partial<Link>): Promise<void> {
  const { alias = 'kept', ...fields } = link;
  const accountId = `account-${alias}`;
  const input = newLink(alias, {
    newAccount: { id: accountId, tokenHash: `hash-${alias}`, name: '', created: clock.now() },
    link: {
      id: `id-${alias}`,
      accountId,
      created: clock.now(),
      ...(fields.originalUrl !== undefined && targetOf(fields.originalUrl)),
      ...fields,
    },
  });
  expect((await store.addLink(input)).kind).toBe('added');
}
