import { beforeEach, describe, expect, test } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { saveLink } from '../../../../../extension/background/data/saved-links.ts';
import { readSettings, saveSettings } from '../../../../../extension/background/data/settings.ts';
import { createLinkCaller } from '../../../../../extension/background/links/call-links.ts';
import {
  createShorten,
  decideFirstStep,
  type ShortenPolicy,
  type StartOptions,
} from '../../../../../extension/background/shorten/shorten.ts';
import type { SiteLink } from '../../../../../extension/links/link.ts';
import type { ShortenTarget } from '../../../../../extension/messaging/protocol.ts';
import { createClient } from '../../../../../shared/client.ts';
import { aLink } from '../../support/a-link.ts';
import { newBackground, newQueue } from '../../support/background.ts';
import { type Service, useService } from '../../support/service.ts';

const PAGE = 'https://example.com/page';
const SECRET_PAGE = 'https://example.com/?token=q8Zr2LmX0vNf4TbK9sYd';
const LINK = aLink({ shortUrl: 'https://curt.example/plan', originalUrl: PAGE });

const newService = useService();
let service: Service;

beforeEach(async () => {
  fakeBrowser.reset();
  service = newService();
  await saveSettings({ serverOrigin: service.origin });
});

const clientOf = (baseUrl: string) => createClient({ baseUrl });

async function shorten(originalUrl: string, policy: ShortenPolicy = {}, siteShortLink?: SiteLink) {
  const input = { request: { originalUrl }, isPrivate: false, title: ' A\n page ', siteShortLink };
  return createShorten(newQueue(clientOf), createLinkCaller(clientOf), clientOf)(
    input,
    await readSettings(),
    policy,
  );
}

test('the page’s title is the private one, unless a form says all or the settings keep it here', async () => {
  const labelOf = async (policy: ShortenPolicy = {}) => {
    const { body = '{}' } = (await shorten(PAGE, policy)) && (service.shortenCalls().at(-1) ?? {});
    return JSON.parse(body).label;
  };
  expect(await labelOf()).toBe('A page');
  expect(await labelOf({ isFromForm: true })).toBeUndefined();
  await saveSettings({ sendTitles: false });
  expect(await labelOf()).toBeUndefined();
});

test('an existing link is returned without a call, if it may be reused', async () => {
  await saveLink(service.origin, PAGE, LINK, false);
  const result = { ok: true, data: { ...LINK, isExisting: true } };
  const existing = { status: 'existing', result };
  expect(await shorten(PAGE, { reuseExisting: true })).toEqual(existing);
  expect(service.calls).toEqual([]);
  expect(await shorten(PAGE)).toMatchObject({ status: 'created' });
});

test('an existing link takes precedence over the site’s own, which needs no call either', async () => {
  const own = { shortUrl: 'https://youtu.be/abc', originalUrl: PAGE, title: '' };
  expect(await shorten(PAGE, { reuseExisting: true }, own)).toMatchObject({
    status: 'existing',
    result: { data: own },
  });
  await saveLink(service.origin, PAGE, LINK, false);
  expect(await shorten(PAGE, { reuseExisting: true }, own)).toMatchObject({
    result: { data: LINK },
  });
  expect(service.calls).toEqual([]);
});

test('a URL with a secret needs confirmation, unless the user gave it or turned it off', async () => {
  expect(await shorten(SECRET_PAGE)).toMatchObject({
    status: 'needsConfirmation',
    warning: { secrets: [{ kind: 'parameter', name: 'token' }] },
  });
  expect(service.calls).toEqual([]);
  expect(await shorten(SECRET_PAGE, { isSecretAccepted: true })).toMatchObject({
    status: 'created',
  });
  await saveSettings({ warnAboutSecrets: false });
  expect(await shorten(SECRET_PAGE)).toMatchObject({ status: 'created' });
});

test('a request is queued if the server is unavailable, and fails if the server rejects it', async () => {
  service.isAway = true;
  expect(await shorten(PAGE)).toMatchObject({
    status: 'queued',
    result: { ok: false, code: 'unreachable', queued: {} },
  });
  service.isAway = false;
  service.faults.push({ kind: 'failure', status: 400, code: 'invalid_url' });
  expect(await shorten('https://example.com/other')).toMatchObject({
    status: 'failed',
    result: { ok: false, code: 'invalid_url' },
  });
});

test('a page cannot send a URL with a secret that the user has not confirmed', async () => {
  const { createLink } = newBackground(clientOf);
  const payload = { request: { originalUrl: SECRET_PAGE }, isPrivate: false, pageTitle: '' };
  expect(await createLink(payload)).toEqual({ ok: false, code: 'url_has_secret' });
  expect(service.calls).toEqual([]);
  expect(await createLink({ ...payload, isSecretAccepted: true })).toMatchObject({ ok: true });
});

describe('the first step', () => {
  const own = { shortUrl: 'https://youtu.be/abc', originalUrl: PAGE, title: '' };
  const secrets = [{ kind: 'parameter' as const, name: 'token' }];
  const warning = { secrets, mustRemove: false };

  const decide = (target: ShortenTarget, options: Partial<StartOptions> = {}) =>
    decideFirstStep(
      target,
      service.origin,
      { isPrivate: false, createsLink: true, ...options },
      createLinkCaller(clientOf),
    );

  async function firstStep(more: Partial<ShortenTarget> = {}, options: Partial<StartOptions> = {}) {
    const target = { url: PAGE, fullUrl: PAGE, removed: [], ...more };
    return (await decide(target, options)).first;
  }

  test('is an existing plain link before the site’s own', async () => {
    await saveLink(service.origin, PAGE, LINK, false);
    expect(await firstStep({ siteShortLink: own })).toEqual({ step: 'showLink', link: LINK });
  });

  test('is the site’s own link, unless the user writes a form', async () => {
    const shown = { step: 'showLink', link: own, isSiteOwn: true };
    expect(await firstStep({ siteShortLink: own }, { createsLink: false })).toEqual(shown);
    expect(await firstStep({ siteShortLink: own }, { isForForm: true })).toEqual({ step: 'wait' });
  });

  test('is a question about a secret before anything that sends it', async () => {
    expect(await firstStep({ warning })).toEqual({ step: 'confirmSecret' });
    expect(await firstStep({ warning }, { isForForm: true })).toEqual({ step: 'confirmSecret' });
  });

  test('is a new link, unless a click must come first', async () => {
    await saveLink(service.origin, PAGE, { ...LINK, hasPassword: true, id: 'one' }, false);
    expect(await firstStep()).toEqual({ step: 'createLink' });
    expect(await firstStep({}, { editedId: 'one' })).toEqual({ step: 'wait' });
    expect(await firstStep({}, { editedId: 'gone' })).toEqual({ step: 'createLink' });
    expect(await firstStep({}, { createsLink: false })).toEqual({ step: 'wait' });
    expect(await firstStep({}, { isForForm: true })).toEqual({ step: 'wait' });
  });

  test('comes with all links of the URL', async () => {
    const locked = { ...LINK, hasPassword: true };
    await saveLink(service.origin, PAGE, locked, false);
    const target = { url: PAGE, fullUrl: PAGE, removed: [] };
    const { links } = await decide(target);
    expect(links).toEqual([locked]);
  });
});
