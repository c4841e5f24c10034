import { execFileSync } from 'node:child_process';
import { mkdir, open, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { HOUR_MS } from '../../server/lib/time.ts';
import { call, START, type TestService } from '../api/support.ts';
import { visit } from '../api/visits/visiting.ts';
import { domainOf } from '../store/contract/domains.ts';
import { ADMIN_TOKEN, jsonOf, startWithCurt } from './support/curt.ts';

describe('curt shorten, list, edit, stats and delete', () => {
  test('are about the link on the domain of a short URL', async () => {
    const { curt, store } = await startWithCurt();
    await store.administration.addDomain(domainOf('go.example'));
    await curt(['shorten', 'example.com/first', '--alias', 'sale']);
    const onGo = ['--alias', 'sale', '--domain', 'go.example'];
    const made = await curt(['shorten', 'example.com', ...onGo]);
    expect(made.stdout).toBe('https://go.example/sale\n');
    await curt(['edit', 'https://go.example/sale', '--title', 'On go']);
    await curt(['edit', 'go.example/sale', '--tag', 'two']);
    expect((await curt(['tags'])).stdout).toBe('TAG  LINKS\ntwo  1\n');
    expect(jsonOf(await curt(['list', '--domain', 'go.example', '--json'])).data).toMatchObject([
      { shortUrl: 'https://go.example/sale', title: 'On go', tags: ['two'] },
    ]);
    expect((await curt(['stats', 'https://go.example/sale'])).exitCode).toBe(0);
    expect((await curt(['delete', 'https://go.example/sale'])).exitCode).toBe(0);
    expect((await store.findLink('sale'))?.deletedAt).toBeNull();
    expect((await store.findLink('go.example/sale'))?.deletedAt).not.toBeNull();
    expect((await curt(['delete', 'https://else.example/sale'])).exitCode).not.toBe(0);
  });

  test('manage a link with the token of the account that the first call created', async () => {
    const { curt, home, server, clock } = await startWithCurt();
    const first = await curt(['shorten', 'example.com/first', '--alias', 'first']);
    expect(first).toMatchObject({ exitCode: 0, stdout: 'https://s.example/first\n' });
    const again = await curt(['shorten', 'example.com/first', '--reuse']);
    expect(again).toMatchObject({ exitCode: 0, stdout: first.stdout });
    const credentials = join(home, '.config/curt/credentials.json');
    expect(first.stderr).toBe(
      `${server} created an account for you. Its token is in ${credentials}.\n`,
    );
    expect((await stat(credentials)).mode & 0o777).toBe(0o600);

    clock.advance(1000);
    const everyOption = await curt(
      [
        ...['shorten', 'https://example.com/all', '--json', '--alias', 'all', '--password', '-'],
        ...['--expires-in', '1.5h', '--wait', '3', '--gtm', 'GTM-ABC1234', '--title', 'A title'],
        ...['--description', 'Text', '--tag', 'one', '--tag', 'two', '--max-visits', '5'],
        ...['--forward-query', '--qr', 'code.png', '--idempotency-key', 'x'.repeat(16)],
      ],
      { input: 'secret\n' },
    );
    expect(everyOption.stderr).toBe('');
    const { success, data } = jsonOf(everyOption);
    expect({ success, ...data }).toMatchObject({
      success: true,
      originalUrl: 'https://example.com/all',
      alias: 'all',
      hasPassword: true,
      expiresAt: '2026-11-20T13:30:01.000Z',
      waitTimer: 3,
      title: 'A title',
      description: 'Text',
      tags: ['one', 'two'],
      maxVisits: 5,
      forwardQuery: true,
    });
    expect(everyOption.stdout).not.toContain('curt_');
    expect((await readFile(join(home, 'code.png'))).subarray(1, 4).toString()).toBe('PNG');

    const cleared = jsonOf(
      await curt([
        ...['edit', 'https://s.example/all', '--json', '--alias', 'new'],
        ...['--url', 'example.com/new'],
        ...['--no-password', '--no-expiry', '--no-gtm', '--no-description', '--no-max-visits'],
        ...['--no-forward-query', '--no-tags', '--deactivate'],
      ]),
    );
    expect(cleared.data).toMatchObject({
      alias: 'new',
      originalUrl: 'https://example.com/new',
      hasPassword: false,
      expiresAt: null,
      description: null,
      maxVisits: null,
      forwardQuery: false,
      tags: [],
      isActive: false,
      waitTimer: 3,
      title: 'A title',
      previousAliases: ['all'],
    });
    expect(
      jsonOf(await curt(['edit', 'new', '--json', '--remove-alias', 'all'])).data,
    ).toMatchObject({ previousAliases: [] });
    expect(
      jsonOf(await curt(['edit', 'new', '--json', '--title', 'B', '--if-match', cleared.etag])),
    ).toMatchObject({ success: false, code: 'version_mismatch' });

    expect((await curt(['list'])).stdout).toBe(
      [
        'SHORT URL                VISITS  STATUS    CREATED     TITLE    DESTINATION',
        'https://s.example/new    0       inactive  2026-11-20  A title  https://example.com/new',
        'https://s.example/first  0       active    2026-11-20           https://example.com/first',
        '',
      ].join('\n'),
    );
    const page = jsonOf(await curt(['list', '--json', '--limit', '1', '--status', 'active']));
    expect(page).toMatchObject({ data: [{ alias: 'first' }], nextCursor: null });
    expect((await curt(['stats', 'first'])).stdout).toMatch(/^DAY +VISITS +VISITORS$/m);
    const all = await curt(['stats', 'first', '--bots']);
    expect(all.stdout).toMatch(/^DAY +VISITS +VISITORS +PREVIEWS +BOTS$/m);
    expect(jsonOf(await curt(['stats', '--json', '--unit', 'hour'])).data.series).toHaveLength(48);

    expect((await curt(['delete', 'first'])).stdout).toBe('Deleted first.\n');
    expect(jsonOf(await curt(['list', '--json', '--status', 'deleted'])).data).toHaveLength(1);
    expect((await curt(['delete', 'first', '--restore'])).stdout).toBe('Restored first.\n');
    expect((await curt(['delete', 'first', '--purge'])).stdout).toBe(
      'Deleted first permanently.\n',
    );
    expect(jsonOf(await curt(['delete', 'first', '--json']))).toMatchObject({ code: 'not_found' });
  });

  test('list all pages', async () => {
    const { curt, clock } = await startWithCurt();
    for (const number of [1, 2, 3]) {
      await curt(['shorten', `example.com/${number}`]);
      clock.advance(1000);
    }
    const all = jsonOf(await curt(['list', '--json', '--all', '--limit', '1']));
    expect(all.data.map(({ originalUrl }: { originalUrl: string }) => originalUrl)).toEqual([
      'https://example.com/3',
      'https://example.com/2',
      'https://example.com/1',
    ]);
    const first = jsonOf(await curt(['list', '--json', '--limit', '2']));
    const rest = jsonOf(await curt(['list', '--json', '--cursor', first.nextCursor]));
    expect([first.data.length, rest.data.length]).toEqual([2, 1]);
    const aliasesOf = ({ data }: { data: { alias: string }[] }) => data.map(({ alias }) => alias);
    const sorted = jsonOf(
      await curt(['list', '--json', '--sort', 'alias', '--all', '--limit', '1']),
    );
    expect(aliasesOf(sorted)).toEqual(aliasesOf(all).toSorted());
  });
});

/** The generated aliases of short URLs, one a line. */
const aliasesIn = (stdout: string) => stdout.match(/\w{7}$/gm) ?? [];

describe('curt shorten with standard input', () => {
  test.each([[['shorten']], [['shorten', '-']]])(
    'shortens the URL of its only line: %j',
    async (args) => {
      const { curt } = await startWithCurt();
      const outcome = await curt([...args, '--alias', 'only'], { input: 'example.com/a\n' });
      expect(outcome).toMatchObject({ exitCode: 0, stdout: 'https://s.example/only\n' });
    },
  );

  test('prints a short URL for each line, and what fails with its line on standard error', async () => {
    const { curt, store, server } = await startWithCurt();
    const input = ' example.com/1 \n\nmailto:x\r\nexample.com/4\nhttp://s.example/loop\n';
    const first = await curt(['shorten', '--tag', 'news'], { input });
    expect(first.exitCode).toBe(1);
    expect(first.stdout).toMatch(/^(https:\/\/s\.example\/\w{7}\n){2}$/);
    const [account, ...failed] = first.stderr.split('\n');
    expect(account).toContain(`${server} created an account for you.`);
    expect(failed).toEqual([
      expect.stringMatching(/^Line 3: mailto:x: Only http/),
      expect.stringMatching(/^Line 5: http:\/\/s\.example\/loop: .*redirect loop/),
      'Links created: 2. Lines that failed: 2.',
      '',
    ]);
    const again = await curt(['shorten', '-', '--tag', 'news', '--reuse'], {
      input: 'example.com/1\nexample.com/4',
    });
    expect(again).toMatchObject({ exitCode: 0, stderr: '', stdout: first.stdout });
    for (const alias of aliasesIn(first.stdout))
      expect((await store.findLink(alias))?.tags).toEqual(['news']);
  });

  test('has the results of all lines in one JSON object', async () => {
    const { curt } = await startWithCurt();
    const input = 'mailto:x\nexample.com/2\nexample.com/3\n';
    const outcome = await curt(['shorten', '--json'], { input });
    expect(outcome).toMatchObject({ exitCode: 1, stderr: '' });
    expect(outcome.stdout).not.toContain('curt_');
    expect(jsonOf(outcome)).toMatchObject({
      ...{ success: false, code: 'lines_failed' },
      report: [
        { line: 1, url: 'mailto:x', code: 'invalid_url' },
        { line: 2, url: 'example.com/2', data: { originalUrl: 'https://example.com/2' } },
        { line: 3, url: 'example.com/3', data: { originalUrl: 'https://example.com/3' } },
      ],
    });
  });

  test.each([
    ['UTF-8 with a byte order mark', '\uFEFFexample.com/é\r\n', 'utf8'],
    ['UTF-16, as PowerShell writes it', '\uFEFFexample.com/é\r\n', 'utf16le'],
  ] as const)('can be %s', async (_, lines, encoding) => {
    const { curt, store } = await startWithCurt();
    const input = Buffer.from(lines, encoding);
    expect(await curt(['shorten', '--alias', 'only'], { input })).toMatchObject({ exitCode: 0 });
    expect((await store.findLink('only'))?.originalUrl).toMatch(
      /^https:\/\/example\.com\/(é|%C3%A9)$/,
    );
  });

  test('creates nothing of text in another encoding', async () => {
    const { curt } = await startWithCurt();
    const input = Buffer.from('example.com/1\nexample.com/caf\xE9\n', 'latin1');
    const outcome = await curt(['shorten'], { input });
    expect(outcome).toMatchObject({ exitCode: 2, stdout: '' });
    expect(outcome.stderr).toContain('is not text in UTF-8');
  });

  test('shortens more lines than fit into one request', async () => {
    const { curt, store } = await startWithCurt();
    const urls = Array.from(
      { length: 130 },
      (_, index) => `example.com/${index}/${'x'.repeat(index < 10 ? 7000 : 10)}`,
    );
    const outcome = await curt(['shorten'], { input: urls.join('\n') });
    expect(outcome.exitCode).toBe(0);
    const aliases = aliasesIn(outcome.stdout);
    const found = await Promise.all(aliases.map((alias) => store.findLink(alias)));
    expect(found.map((link) => link?.originalUrl)).toEqual(urls.map((url) => `https://${url}`));
  });

  test.each([
    ['--alias', 'a'],
    ['--qr', 'code.png'],
    ['--idempotency-key', 'x'.repeat(16)],
  ])('creates nothing of many lines with %s', async (...option) => {
    const { curt } = await startWithCurt();
    const outcome = await curt(['shorten', '--json', ...option], { input: 'a.example\nb.example' });
    expect([outcome.exitCode, jsonOf(outcome).code]).toEqual([2, 'usage']);
    expect(jsonOf(await curt(['list', '--json'])).code).toBe('token_required');
  });
});

async function visitAt({ store }: TestService, alias: string, hour: number): Promise<void> {
  const link = await store.findLink(alias);
  if (!link) throw new Error(`there is no link ${alias}`);
  const counts = { people: 1, uniquePeople: 1, previews: 0, bots: 0 };
  await store.addVisits([{ linkId: link.id, hour, ...counts, tallies: new Map() }]);
}

describe('on a terminal', () => {
  test('lists have colors and the visits of the last 30 days, but no cursor', async () => {
    const { curt, ...service } = await startWithCurt();
    const shorten = (alias: string, ...options: string[]) =>
      curt(['shorten', 'example.com', '--alias', alias, ...options]);
    await shorten('seen', '--title', `Long ${'title '.repeat(9)}`);
    await visitAt(service, 'seen', START);
    await shorten('other', '--label', 'Only mine');
    await shorten('both', '--label', 'Only mine', '--title', 'For visitors');
    const inColor = { isTerminal: true, env: { FORCE_COLOR: '1' } };
    const { stdout, stderr } = await curt(['list', '--sort', 'visits'], inColor);
    const plain = stripVTControlCharacters(stdout);
    expect(plain).toMatch(/^SHORT URL +VISITS +30 DAYS +STATUS +CREATED +TITLE +DESTINATION\n/);
    expect(plain).toMatch(
      /seen +0 {8,}█ +active +2026-11-20 +Long title title title title … +https/,
    );
    expect(plain).toMatch(/other +0 +active +2026-11-20 +Only mine +https/);
    expect(plain).toMatch(/both +0 +active +2026-11-20 +For visitors +https/);
    expect(stdout).toContain('\x1b[32mactive');
    const paged = await curt(['list', '--limit', '1'], { isTerminal: true });
    expect(stderr + paged.stderr).toBe('There are more. --all lists all of them.\n');
    // A file or another program gets all of a title.
    expect((await curt(['list'])).stdout).toContain(`Long ${'title '.repeat(9).trim()}  https`);
  });

  test('statistics name local days, with a line of all periods', async () => {
    const { curt, ...service } = await startWithCurt();
    await curt(['shorten', 'example.com', '--alias', 'seen']);
    service.clock.advance(12 * HOUR_MS);
    await visitAt(service, 'seen', START + 11 * HOUR_MS);
    const args = ['stats', 'seen', '--time-zone', 'Asia/Tokyo', '--from', '2026-11-20'];
    expect((await curt(args)).stdout).toMatch(
      /^DAY +VISITS +VISITORS\n2026-11-21 +1 +1\ntotal +1 +1\n/,
    );
    const shown = await curt(args, { isTerminal: true });
    expect(shown.stdout).toMatch(/^2026-11-20 {2}█ now\n\n/);
    expect((await curt([...args, '--unit', 'hour'])).stdout).toContain('\n2026-11-21 08:00  1 ');
  });
});

describe('a link', () => {
  test('is changed only by its alias or its own short URL', async () => {
    const { curt, server } = await startWithCurt({ ADMIN_TOKEN });
    await curt(['shorten', 'example.com', '--alias', 'launch']);
    const others = [
      'https://github.com/launch/repo',
      'https://github.com/launch',
      'https://s.example/launch/qr.png',
      `${server}/launch/edit`,
      'https://s.example/',
    ];
    for (const url of others) {
      const outcome = await curt(['delete', url, '--purge', '--json']);
      expect([outcome.exitCode, jsonOf(outcome).code], url).toEqual([2, 'usage']);
    }
    const env = { ADMIN_TOKEN };
    const block = (url: string) => curt(['block', 'link', url, '--reason', 'x'], { env });
    expect((await block('https://github.com/launch')).exitCode).toBe(2);
    expect((await block('https://s.example/launch')).stdout).toBe('Blocked the link launch.\n');
    await curt(['unblock', 'link', 'https://s.example/launch+'], { env });
    expect((await curt(['delete', `${server}/launch+`])).stdout).toBe('Deleted launch.\n');
    const purged = await curt(['delete', 'https://s.example/launch', '--purge']);
    expect(purged.stdout).toBe('Deleted s.example/launch permanently.\n');
  });

  test.each([
    'sale+',
    'sale.',
    '(SERVER/sale)',
    'SERVER/sale/',
    'SERVER/sale?a=b',
    'HOST/sale',
    'HOST/sale.',
  ])('is found as it is pasted: %s', async (text) => {
    const { curt, server } = await startWithCurt();
    await curt(['shorten', 'example.com', '--alias', 'sale']);
    const pasted = text.replace('SERVER', server).replace('HOST', new URL(server).host);
    expect((await curt(['stats', pasted])).exitCode).toBe(0);
    const listed = jsonOf(await curt(['list', '--search', `${server}/sale.`, '--json']));
    // The server's own short URLs begin with its BASE_URL.
    expect(listed.data).toEqual([]);
    const named = jsonOf(await curt(['list', '--search', 'https://s.example/sale.', '--json']));
    expect(named.data).toMatchObject([{ alias: 'sale' }]);
  });

  test('has the password of standard input, with its blanks', async () => {
    const { curt, ...service } = await startWithCurt();
    const args = ['shorten', 'example.com', '--alias', 'locked', '--password', '-'];
    await curt(args, { input: ' secret \r\n' });
    const visited = await visit(service, '/locked', { form: { password: ' secret ' } });
    expect(visited.statusCode).toBe(303);
  });

  test('is not created if its QR code cannot be written', async () => {
    const { curt, home, store } = await startWithCurt();
    const args = ['shorten', 'example.com', '--alias', 'launch', '--json', '--qr'];
    const outcome = await curt([...args, join(home, 'none/code.png')]);
    expect([outcome.exitCode, jsonOf(outcome).code]).toEqual([2, 'unwritable_file']);
    expect(await store.findLink('launch')).toBeUndefined();
  });

  test.each([
    [['--activate', '--deactivate']],
    [['--tag', 'x', '--no-tags']],
    [['--expires-in', '1h', '--no-expiry']],
    [['--rule', 'share=1 → https://example.com/app', '--no-rules']],
    [['--card-title', 'A', '--no-card']],
    [['--remove-alias', 'old', '--title', 'x']],
    [['--title', 'x', '--if-match', '']],
    [['--title', 'x', '--if-match', '“1”']],
  ])('is not edited with %j', async (options) => {
    const { curt, store } = await startWithCurt();
    await curt(['shorten', 'example.com', '--alias', 'launch']);
    const outcome = await curt(['edit', 'launch', '--json', ...options]);
    expect([outcome.exitCode, jsonOf(outcome).code]).toEqual([2, 'usage']);
    expect((await store.findLink('launch'))?.version).toBe(1);
  });
});

describe('curt export and import', () => {
  test('move links to another server', async () => {
    const from = await startWithCurt();
    await from.curt(['shorten', 'example.com/1', '--alias', 'one', '--password', 'secret']);
    await from.curt(['shorten', 'example.com/2', '--alias', 'two']);
    expect((await from.curt(['export', 'links.json', '--secrets'])).stdout).toBe(
      'Wrote links.json.\n',
    );
    const file = join(from.home, 'links.json');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const printed = await from.curt(['export', '-', '--format', 'csv']);
    expect(printed.stdout.split('\n')[0]).toContain('originalUrl');
    const device = await from.curt(['export', '/dev/stdout', '--format', 'csv']);
    expect(device.stdout).toBe(printed.stdout);

    const to = await startWithCurt();
    await to.curt(['shorten', 'example.com', '--alias', 'two']);
    const dry = jsonOf(await to.curt(['import', file, '--dry-run', '--json']));
    expect(dry.data).toMatchObject({ dryRun: true, imported: 1, duplicates: 1, failed: 0 });
    expect((await to.curt(['import', file])).stdout).toMatch(
      /^imported: 1, .*, there already: 1, failed: 0\n$/m,
    );
    expect(jsonOf(await to.curt(['list', '--json', '--search', 'one'])).data).toMatchObject([
      { alias: 'one', hasPassword: true },
    ]);
    const table = join(to.home, 'table.csv');
    await writeFile(table, 'originalUrl\nmailto:x\nexample.com/ok\n');
    const partial = await to.curt(['import', table, '--json']);
    expect(partial.exitCode).toBe(1);
    expect(jsonOf(partial)).toMatchObject({
      success: false,
      code: 'rows_failed',
      report: { imported: 1, failed: 1 },
    });
  });

  test('name a file that cannot be read', async () => {
    const { curt } = await startWithCurt();
    await curt(['shorten', 'example.com']);
    for (const path of ['none.csv', '.']) {
      const outcome = await curt(['import', path, '--json']);
      expect([outcome.exitCode, jsonOf(outcome).code]).toEqual([2, 'unreadable_file']);
      expect(jsonOf(outcome).message).toMatch(`${path} cannot be read: `);
    }
  });

  test('write into a pipe', async () => {
    const { curt, home } = await startWithCurt();
    await curt(['shorten', 'example.com']);
    const path = join(home, 'pipe');
    execFileSync('mkfifo', [path]);
    await using pipe = await open(path, 'r+');
    expect((await curt(['export', 'pipe'])).exitCode).toBe(0);
    expect((await stat(path)).isFIFO()).toBe(true);
    const { buffer, bytesRead } = await pipe.read();
    expect(JSON.parse(buffer.toString('utf8', 0, bytesRead)).links).toHaveLength(1);
  });

  test('name a file that cannot be written, and leave nothing beside it', async () => {
    const { curt, home } = await startWithCurt();
    await curt(['shorten', 'example.com']);
    await mkdir(join(home, 'folder.json'));
    for (const path of ['none/links.json', 'folder.json']) {
      const outcome = await curt(['export', path, '--json']);
      expect([outcome.exitCode, jsonOf(outcome).code]).toEqual([2, 'unwritable_file']);
      expect(jsonOf(outcome).message).toMatch(`${path} cannot be written: `);
    }
    expect((await readdir(home)).sort()).toEqual(['.config', 'folder.json']);
  });
});

describe('errors', () => {
  test('have a JSON object and an exit code for each kind', async () => {
    const { curt, ...service } = await startWithCurt({ RATE_LIMIT_PER_MINUTE: '1' });
    const codes = async (args: string[], env = {}) => {
      const outcome = await curt([...args, '--json'], { env });
      const { success, code, message } = jsonOf(outcome);
      expect({ success, message }).toEqual({ success: false, message: expect.any(String) });
      expect(outcome.stderr).toBe('');
      return [code, outcome.exitCode];
    };
    expect(await codes(['list'])).toEqual(['token_required', 4]);
    expect(await codes(['list'], { CURT_TOKEN: 'curt_wrong' })).toEqual(['invalid_token', 4]);
    expect(await codes(['shorten'])).toEqual(['usage', 2]);
    expect(await codes(['shorten', 'x.example', '--expires-in', '7'])).toEqual(['usage', 2]);
    expect(await codes(['shorten', 'x.example', '--idempotency-key', ''])).toEqual(['usage', 2]);
    expect(await codes(['nonsense'])).toEqual(['usage', 2]);
    expect(await codes(['list', '--server', 'https://x.example/path'])).toEqual([
      'invalid_server',
      2,
    ]);
    const { stderr } = await curt(['list', '--server', 'https://ada:hunter22@x.example']);
    expect(stderr).toMatch(/, not "https:\/\/…@x\.example"\.$/m);
    expect((await curt(['shorten', 'example.com', '--alias', 'taken'])).exitCode).toBe(0);
    expect(await codes(['shorten', 'mailto:x'])).toEqual(['invalid_url', 2]);
    expect(await codes(['shorten', 'example.com'])).toEqual(['rate_limited', 5]);
    expect(await codes(['delete', 'nobody'])).toEqual(['not_found', 1]);
    expect(await codes(['edit', 'taken'])).toEqual(['usage', 2]);
    await service.app.close();
    expect(await codes(['list'])).toEqual(['unreachable', 3]);
  });

  test('are explained on standard error without --json', async () => {
    const { curt, ...service } = await startWithCurt();
    await curt(['shorten', 'example.com', '--alias', 'taken']);
    const { stdout, stderr } = await curt(['shorten', 'example.com', '--alias', 'Taken']);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^.*taken.*\nAvailable: \S+, \S+, \S+\n$/i);
    const invalid = await curt(['shorten', 'example.com', '--wait', '999']);
    expect(invalid.stderr).toBe('waitTimer: Must be 0 to 300 seconds.\n');
    const account = await call(service, 'GET /api/links');
    expect(account.statusCode).toBe(401);
  });
});
