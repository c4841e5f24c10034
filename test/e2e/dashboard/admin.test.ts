import { join } from 'node:path';
import type { HTTPRequest, Page } from 'puppeteer-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '../../../shared/client.ts';
import { dataOf } from '../../support/data-of.ts';
import { click } from '../support/browser/click.ts';
import { findColorFaults, findFaults } from '../support/checks/accessibility.ts';
import { findLayoutFaults } from '../support/checks/layout-faults.ts';
import { typeInto } from '../support/checks/rules-editor.ts';
import { findWalkFaults } from '../support/checks/walk-by-keyboard.ts';
import {
  ADMIN_TOKEN,
  confirm,
  dialogText,
  openAdminPage,
  useAdminPages,
} from '../support/dashboard/admin-fixture.ts';
import {
  collectComplaints,
  follow,
  headingOf,
  openAccount,
  press,
  signInWith,
  textOf,
} from '../support/dashboard/dashboard-fixture.ts';
import { expectText } from '../support/extension/links-page.ts';
import { intercept } from '../support/servers/outside.ts';

const PHONE = { width: 360, height: 740 };
const DESKTOP = { width: 1280, height: 800 };

const fixture = useAdminPages({ REPORTS: 'on' });

/** An account with a link to each of these targets. */
async function addAccount(name: string, ...targets: string[]) {
  const { admin, server } = fixture;
  const account = dataOf(await admin.adminCreateAccount({ body: { name } }));
  const client = createClient({ baseUrl: server.baseUrl });
  const links = [];
  for (const originalUrl of targets) {
    links.push(dataOf(await client.createLink({ body: { originalUrl }, token: account.token })));
  }
  return { ...account, links };
}

/** Sends the form for a report as a visitor. */
async function reportLink(alias = '') {
  const page = await fixture.chromium.openPage(`${fixture.server.baseUrl}/${alias}/report`, {
    javaScript: false,
  });
  await page.type('#reason', 'It asks for my password.');
  await page.type('#contact', 'ann@example.com');
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
  return page;
}

const statusOf = async (url: string) => (await fetch(url, { redirect: 'manual' })).status;
/** Sends the form that this field is in, as with a double click. */
const submitTwice = (page: Page, field: string) =>
  page.$eval(`form:has(input[name="${field}"])`, (form) => {
    (form as HTMLFormElement).requestSubmit();
    (form as HTMLFormElement).requestSubmit();
  });

describe('the sign-in', () => {
  async function openSignIn() {
    const page = await fixture.chromium.openPage('about:blank');
    const complaints = collectComplaints(page);
    await page.goto(`${fixture.server.baseUrl}/dashboard/admin/links`);
    await page.waitForSelector('input[name="admin-token"]');
    return { page, complaints };
  }

  test('takes ADMIN_TOKEN, keeps it for the tab only, and forgets it with the sign-out', async () => {
    const { page, complaints } = await openSignIn();
    await page.type('input[name="admin-token"]', ADMIN_TOKEN);
    await page.keyboard.press('Enter');
    await page.waitForSelector('nav');
    expect(await headingOf(page)).toBe('Links');
    expect(await page.evaluate(() => Object.keys(sessionStorage).sort())).toEqual([
      ...['curt-admin-token', 'curt-admin-token-account'],
    ]);
    expect(await page.evaluate(() => localStorage.length)).toBe(0);
    await page.reload();
    await page.waitForSelector('nav');
    await press(page, 'Sign out');
    await page.waitForSelector('input[name="admin-token"]');
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
    expect(complaints).toEqual([]);
  });

  test('says that a token is wrong, and is accessible', async () => {
    const { page } = await openSignIn();
    await page.setViewport(PHONE);
    expect(await findFaults(page)).toEqual([]);
    await page.type('input[name="admin-token"]', 'x'.repeat(32));
    await page.keyboard.press('Enter');
    await expectText(page, 'This isn’t the administrator’s token.');
    expect(await findFaults(page)).toEqual([]);
    expect(await findWalkFaults(page)).toEqual([]);
  });

  test('comes back when the token is no longer valid', async () => {
    const page = await openAdminPage(fixture, '/blocks');
    await page.evaluate(() => sessionStorage.clear());
    await page.evaluateOnNewDocument(() => {
      sessionStorage.setItem('curt-admin-token', 'not valid');
    });
    await page.reload();
    await expectText(page, 'Your session has ended. Sign in again.');
  });
});

describe('accounts', () => {
  test('are found by their name, and a new one gets a token that works', async () => {
    await addAccount('Grace Hopper');
    const page = await openAdminPage(fixture, '/accounts');
    await page.type('input[name="q"]', 'grace');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 1);
    await page.type('input[name="q"]', ' typed, but not searched for');
    await page.type('input[name="account-name"]', 'Ada Lovelace');
    await page.type('input[name="quota"]', '500');
    await submitTwice(page, 'account-name');
    const field = await page.waitForSelector('input[name="new-token"]');
    const token = (await field?.evaluate((input) => (input as HTMLInputElement).value)) ?? '';
    const account = await createClient(fixture.server).getAccount({ token });
    expect(account).toMatchObject({ data: { name: 'Ada Lovelace', quota: { limit: 500 } } });
    await page.waitForNetworkIdle();
    expect(dataOf(await fixture.admin.adminListAccounts({ q: 'Ada' })).data).toHaveLength(1);
    expect(await page.$$('tbody tr')).toHaveLength(1);
  });

  test('are searched for in the address, so that Back leads to what was found', async () => {
    await addAccount('Katherine Johnson');
    const page = await openAdminPage(fixture, '/accounts');
    const rows = () => page.$$eval('tbody tr', (all) => all.length);
    const typed = () => page.$eval('input[name="q"]', (input) => (input as HTMLInputElement).value);
    await addAccount('Dorothy Vaughan');
    await page.type('input[name="q"]', 'Katherine');
    await page.keyboard.press('Enter');
    await expect.poll(rows).toBe(1);
    await follow(page, 'Katherine Johnson');
    await page.waitForSelector('#facts-heading');
    await page.goBack();
    await expect.poll(() => page.$('input[name="q"]').then((input) => input && rows())).toBe(1);
    expect(await typed()).toBe('Katherine');
    await page.goBack();
    await expect.poll(rows).toBeGreaterThan(1);
    expect(await typed()).toBe('');
  });

  test('are suspended with what follows and why, and that is taken back with one click', async () => {
    const { id, token, links } = await addAccount('Ann', 'https://a.example', 'https://b.example');
    const page = await openAdminPage(fixture, `/account?id=${id}`);
    await press(page, 'Suspend…');
    await expect.poll(() => dialogText(page)).toContain('Its 2 links keep working.');
    await press(page, 'Suspend');
    await expectText(page, 'Enter a reason.');
    await confirm(page, 'Suspend', 'Left the company');
    await expectText(page, 'Ann is suspended.');
    const { baseUrl } = fixture.server;
    expect(await createClient({ baseUrl }).getAccount({ token })).toMatchObject({
      code: 'account_suspended',
    });
    expect(await statusOf(links[0]?.shortUrl ?? '')).toBe(302);
    await press(page, 'Undo');
    await expectText(page, 'Undone.');
    expect(await createClient({ baseUrl }).getAccount({ token })).toMatchObject({ ok: true });
  });

  test('get a name, a quota and a token, lose one, and give their links away', async () => {
    const ben = await addAccount('Ben', 'https://ben.example');
    const cleo = await addAccount('Cleo');
    const page = await openAdminPage(fixture, `/account?id=${ben.id}`);
    // By another administrator.
    await fixture.admin.adminEditAccount({ id: ben.id, body: { name: 'Benjamin' } });
    await click(page, 'input[name="unlimited"]');
    await press(page, 'Save');
    await expectText(page, 'Saved.');
    const edited = dataOf(await fixture.admin.adminGetAccount({ id: ben.id }));
    expect(edited).toMatchObject({ name: 'Benjamin', monthlyQuota: 'unlimited' });
    const shownName = () => page.$eval('input[name="account-name"]', ({ value }) => value);
    await expect.poll(shownName).toBe('Benjamin');

    await page.type('input[name="token-name"]', 'Laptop');
    await submitTwice(page, 'token-name');
    await page.waitForSelector('input[name="new-token"]');
    await press(page, 'Revoke…: First key');
    await expect.poll(() => dialogText(page)).toContain('This can’t be undone.');
    await confirm(page, 'Revoke');
    await expectText(page, 'The key “First key” was revoked.');
    expect(dataOf(await fixture.admin.adminListTokens({ id: ben.id }))).toMatchObject([
      { name: 'Laptop' },
    ]);

    await press(page, 'Move links…');
    await expectText(page, 'Enter the ID of another account.');
    await page.type('input[name="move-to"]', cleo.id);
    await press(page, 'Move links…');
    await expect.poll(() => dialogText(page)).toContain('1 link moves to Cleo.');
    await confirm(page, 'Move links');
    await expectText(page, 'The links were moved.');
    expect(dataOf(await fixture.admin.adminGetAccount({ id: cleo.id })).links).toBe(1);
  });

  test('that have no name get one for good: it cannot be taken back', async () => {
    await openAccount(fixture.server);
    const { id = '' } = dataOf(await fixture.admin.adminListAccounts({})).data[0] ?? {};
    const page = await openAdminPage(fixture, `/account?id=${id}`);
    await page.type('input[name="account-name"]', 'Dan');
    await press(page, 'Save');
    await expectText(page, 'Saved.');
    expect(dataOf(await fixture.admin.adminGetAccount({ id })).name).toBe('Dan');
    expect(await textOf(page)).not.toContain('Undo');
  });

  test('that do not exist are an error that says so', async () => {
    const page = await openAdminPage(fixture, '/account?id=nobody');
    await expectText(page, 'It doesn’t exist, or no longer does.');
  });
});

describe('blocks', () => {
  test('of a host say how many links answer 451, and are taken back with one click', async () => {
    const { links } = await addAccount(
      'Eve',
      'https://evil.example/1',
      'https://www.evil.example/2',
    );
    const shortUrl = links[0]?.shortUrl ?? '';
    const page = await openAdminPage(fixture, '/links');
    await page.type('input[name="host"]', 'evil.example');
    await page.keyboard.press('Enter');
    await press(page, 'Block…: evil.example');
    await expect
      .poll(() => dialogText(page))
      .toContain('2 links will only show that they’re blocked.');
    await confirm(page, 'Block', 'Phishing');
    await expectText(page, 'evil.example is blocked.');
    expect(await statusOf(shortUrl)).toBe(451);
    await press(page, 'Undo');
    await expectText(page, 'Undone.');
    expect(await statusOf(shortUrl)).toBe(302);
  });

  test('are added and removed on their page, and the audit log has both', async () => {
    const { links } = await addAccount('Mallory', 'https://m.example');
    const { alias = '', shortUrl = '' } = links[0] ?? {};
    const page = await openAdminPage(fixture, '/blocks');
    await page.select('select[name="kind"]', 'link');
    await page.type('input[name="value"]', alias);
    await press(page, `Block…: ${alias}`);
    await confirm(page, 'Block', 'Malware');
    await press(page, `Unblock…: ${alias}`);
    expect(await statusOf(shortUrl)).toBe(451);
    await confirm(page, 'Unblock');
    await expectText(page, `${alias} is no longer blocked.`);
    expect(await statusOf(shortUrl)).toBe(302);
    // The button is gone with its row.
    await page.waitForFunction(() => document.activeElement?.id === 'page-heading');
    await follow(page, 'Audit log');
    await expectText(page, 'block.remove');
    expect(await textOf(page)).toContain('Malware');
  });
});

test('a repeated block gets another reason, and Undo brings the earlier one back', async () => {
  await fixture.admin.adminAddBlock({
    body: { kind: 'host', value: 'again.example', reason: 'Spam' },
  });
  const page = await openAdminPage(fixture, '/blocks');
  await page.type('input[name="value"]', 'Again.example');
  await press(page, 'Block…: Again.example');
  await confirm(page, 'Block', 'Malware');
  await expectText(page, 'Malware');
  await press(page, 'Undo');
  await expectText(page, 'Undone.');
  const blocks = dataOf(await fixture.admin.adminListBlocks());
  expect(blocks.find(({ value }) => value === 'again.example')?.reason).toBe('Spam');
});

test('a dialog and what it carries out are those of the click, whatever is typed since', async () => {
  const page = await openAdminPage(fixture, '/blocks');
  await page.type('input[name="value"]', 'clicked.example');
  await page.evaluate(() => {
    document.querySelector<HTMLElement>('section:last-of-type .button.danger')?.click();
    const input = document.querySelector<HTMLInputElement>('input[name="value"]');
    if (input) input.value = 'typed.example';
    input?.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await expect.poll(() => dialogText(page)).toContain('clicked.example');
  await confirm(page, 'Block', 'Spam');
  await expectText(page, 'clicked.example is blocked.');
});

test('the list of all links stays with its search while another one is typed', async () => {
  const { links } = await addAccount('Trent', 'https://pear.example', 'https://plum.example');
  const page = await openAdminPage(fixture, '/links');
  const rows = () =>
    page.$$eval('tbody tr', (all) => all.map(({ innerText }) => innerText.replace(/\s+/g, ' ')));
  await page.type('input[name="q"]', 'pear.example');
  await page.keyboard.press('Enter');
  await expect.poll(rows).toHaveLength(1);
  await typeInto(page, 'q', 'plum.example');
  await press(page, `Block…: ${links[0]?.alias}`);
  await confirm(page, 'Block', 'Phishing');
  await expect.poll(rows).toEqual([expect.stringMatching(/pear\.example.* Blocked/)]);
});

test('a reported link is blocked or its reports are dismissed, with what follows', async () => {
  const { links } = await addAccount('Eve', 'https://one.example', 'https://two.example');
  const [one = '', two = ''] = links.map(({ alias }) => alias);
  for (const alias of [one, two]) {
    const sent = await reportLink(alias);
    expect(await textOf(sent)).toContain('Thank you');
    await sent.close();
  }
  const page = await openAdminPage(fixture, '/reports');
  await expectText(page, 'It asks for my password.');
  await press(page, `Dismiss…: ${one}`);
  await expect.poll(() => dialogText(page)).toContain('Reports that will be deleted: 1.');
  await confirm(page, 'Dismiss');
  await expectText(page, `The reports of ${one} were dismissed.`);
  // What follows comes after the notice.
  await expect.poll(() => page.$$('tbody tr')).toHaveLength(1);
  await press(page, `Block…: ${two}`);
  await expect.poll(() => dialogText(page)).toContain('1 link will only show that it’s blocked');
  await confirm(page, 'Block', 'Phishing');
  await expectText(page, `${two} is blocked.`);
  expect(await statusOf(links[1]?.shortUrl ?? '')).toBe(451);
  await expect.poll(async () => dataOf(await fixture.admin.adminListReports()).data).toEqual([]);
});

test('the form for a report is accessible, also with an error and once it is sent', async () => {
  const { links } = await addAccount('Eve', 'https://three.example');
  const url = `${fixture.server.baseUrl}/${links[0]?.alias}/report`;
  const page = await fixture.chromium.openPage(url);
  await page.setViewport(PHONE);
  expect(await findFaults(page)).toEqual([]);
  await page.type('#reason', ' ');
  await Promise.all([page.waitForNavigation(), click(page, '.button')]);
  expect(await textOf(page)).toContain('Say in a few words what is wrong.');
  expect(await findFaults(page)).toEqual([]);
  await page.type('#reason', 'Phishing');
  await Promise.all([page.waitForNavigation(), click(page, '.button')]);
  expect(await findFaults(page)).toEqual([]);
});

test('a domain is added, gets a name and a logo, is removed with what follows, and comes back', async () => {
  const page = await openAdminPage(fixture, '/domains');
  await page.type('input[name="host"]', 'https://go.example/');
  await press(page, 'Add domain');
  await expectText(page, 'without a protocol or a path');
  await typeInto(page, 'host', 'Bücher.example');
  await submitTwice(page, 'host');
  await expectText(page, 'Bücher.example is ready to use.');
  await follow(page, 'bücher.example');
  await expectText(page, 'http://bücher.example/…');
  const read = async () => dataOf(await fixture.admin.adminListDomains())[1];

  await page.type('input[name="name"]', 'Bücher');
  await page.type('input[name="color"]', '#ffd100');
  await page.type('input[name="goneUrl"]', 'Gone: (https://example.com/gone), please');
  const file = await page.waitForSelector('input[name="logo"]');
  await file?.uploadFile(join(import.meta.dirname, '../../../shared/icon.svg'));
  await page.waitForSelector('.domain-logo img');
  await press(page, 'Save');
  await expectText(page, '#ffd100 has a contrast of');
  await typeInto(page, 'color', '#0b6b57');
  await press(page, 'Save');
  await expectText(page, 'Saved.');
  expect(await read()).toMatchObject({
    brand: { name: 'Bücher', color: '#0b6b57', logo: expect.stringMatching(/^data:image/) },
    goneUrl: 'https://example.com/gone',
    accounts: 'all',
  });
  await press(page, 'Undo');
  await expectText(page, 'Undone.');
  expect(await read()).toMatchObject({ brand: null, goneUrl: null });

  await press(page, 'Remove domain…');
  await expect
    .poll(() => dialogText(page))
    .toContain('0 links will only show that they no longer work');
  await confirm(page, 'Remove domain');
  await expectText(page, 'bücher.example was removed.');
  expect((await read())?.removed).not.toBeNull();
  await press(page, 'Move links…');
  await expect.poll(() => dialogText(page)).toContain('0 links move to');
  await press(page, 'Cancel');
  await press(page, 'Add again…');
  await confirm(page, 'Add again');
  await expectText(page, 'bücher.example is ready to use.');
  expect((await read())?.removed).toBeNull();
});

test('a form is sent again, and keeps what is typed next, while the list is still read again', async () => {
  const page = await openAdminPage(fixture, '/domains');
  const held: HTTPRequest[] = [];
  let isHeld = true;
  await intercept(page, (request) => {
    if (isHeld && request.method() === 'GET') return void held.push(request);
    return request.continue();
  });
  await page.type('input[name="host"]', 'not/a/host');
  await press(page, 'Add domain');
  await expectText(page, 'without a protocol or a path');
  await typeInto(page, 'host', 'first.example');
  await press(page, 'Add domain');
  await expectText(page, 'first.example is ready to use.');
  await page.type('input[name="host"]', 'second.example');
  isHeld = false;
  await Promise.all(held.map((request) => request.continue()));
  await page.waitForSelector('a[href$="host=first.example"]');
  await press(page, 'Add domain');
  await expectText(page, 'second.example is ready to use.');
});

test('a domain that nobody may use is that again after an edit is taken back', async () => {
  const { id } = await addAccount('Fay');
  await fixture.admin.adminAddDomain({ body: { host: 'closed.example', accounts: [] } });
  const read = async () => {
    const domains = dataOf(await fixture.admin.adminListDomains());
    return domains.find(({ host }) => host === 'closed.example')?.accounts;
  };
  const page = await openAdminPage(fixture, '/domain?host=closed.example');
  await page.type('input[name="accounts"]', id);
  await press(page, 'Save');
  await expectText(page, 'Saved.');
  expect(await read()).toEqual([id]);
  await press(page, 'Undo');
  await expectText(page, 'Undone.');
  expect(await read()).toEqual([]);
});

test('an account chooses the domain of its new links, once there are several', async () => {
  const { token } = await addAccount('Dora');
  await fixture.admin.adminAddDomain({ body: { host: 'chosen.example' } });
  const page = await fixture.chromium.openPage('about:blank');
  await signInWith(page, fixture.server, token);
  await page.goto(`${fixture.server.baseUrl}/dashboard/account`);
  await page.waitForSelector('select[name="domain"]');
  await page.select('select[name="domain"]', 'chosen.example');
  await expectText(page, 'Saved.');
  expect(await findFaults(page)).toEqual([]);
  const account = await createClient(fixture.server).getAccount({ token });
  expect(account).toMatchObject({ data: { domain: 'chosen.example' } });
});

test('the page System has the version, the store, and what the log warned of', async () => {
  const page = await openAdminPage(fixture, '/system');
  for (const part of ['Version', 'Data folder', 'Writable']) await expectText(page, part);
});

describe.each(['en', 'de', 'ar'])('in %s', (language) => {
  const findFaultsOnce = language === 'en' ? findFaults : findLayoutFaults;
  const queries = new Map([['/domain', '?host=go.example']]);
  beforeAll(async () => {
    const { id, links } = await addAccount('Ann', 'https://example.com/page');
    queries.set('/account', `?id=${id}`);
    dataOf(
      await fixture.admin.adminAddBlock({
        body: { kind: 'host', value: 'bad.example', reason: 'Malware' },
      }),
    );
    await reportLink(links[0]?.alias);
    await fixture.admin.adminAddDomain({ body: { host: 'go.example', brand: { name: 'Go' } } });
  });

  test.each([
    ...[
      '',
      '/accounts',
      '/account',
      '/links',
      '/blocks',
      '/reports',
      '/domains',
      '/domain',
      '/audit',
    ],
    ...['/system', '/nothing'],
  ])('the page is accessible and fits: %s', async (path) => {
    const query = queries.get(path) ?? '';
    const page = await openAdminPage(fixture, path + query, language);
    if (path === '/links') await page.waitForSelector('select[name="domain"]');
    await page.setViewport(DESKTOP);
    expect(await page.evaluate(() => document.documentElement.dir)).toBe(
      language === 'ar' ? 'rtl' : 'ltr',
    );
    expect(await findFaultsOnce(page)).toEqual([]);
    if (language === 'en') expect(await findColorFaults(page)).toEqual([]);
    // German runs in the same direction as English.
    if (language !== 'de') expect(await findWalkFaults(page)).toEqual([]);
    await page.setViewport(PHONE);
    expect(await findLayoutFaults(page)).toEqual([]);
  });

  test('a dialog is accessible and fits', async () => {
    const page = await openAdminPage(fixture, '/blocks', language);
    await page.setViewport(PHONE);
    await page.type('input[name="value"]', 'a-host-with-a-long-name.example');
    await click(page, 'section:last-of-type .button.danger');
    await page.waitForSelector('dialog[open]');
    expect(await findFaultsOnce(page)).toEqual([]);
  });
});
