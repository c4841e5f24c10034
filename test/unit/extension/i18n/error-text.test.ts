import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { errorText } from '../../../../extension/i18n/error-text.ts';
import type { FailureCode } from '../../../../extension/messaging/protocol.ts';
import { ERROR_CODES } from '../../../../shared/errors.ts';
import { formatWait } from '../../../../shared/i18n/format-wait.ts';
import { readLocales } from '../../../../shared/locales/read-locales.ts';
import { START } from '../../../support/manual-time.ts';
import { speak } from '../support/speak.ts';
import { standStill } from '../support/stand-still.ts';

const LOCALES = Object.keys(readLocales());
const SERVER = 'https://curt.example';
const CODES: FailureCode[] = [
  ...ERROR_CODES,
  'timeout',
  'unreachable',
  'gateway_error',
  'redirected',
  'unreadable_answer',
  'not_curt',
  'storage_failed',
  'extension_failed',
  'queue_full',
  'background_silent',
  'selection_without_url',
  'text_not_url',
  'no_match',
  'url_has_secret',
  'page_without_url',
  'page_is_loading',
  'page_has_loaded',
  'page_of_browser',
  'page_of_extension',
  'page_is_file',
  'page_is_short_domain',
  'page_url_invalid',
  'page_url_too_long',
];

describe.each(LOCALES)('in %s', (locale) => {
  beforeEach(() => speak(locale));

  test.each(CODES)('%s is explained in whole sentences', (code) => {
    const { title, text } = errorText({ ok: false, code, message: 'A message.' }, SERVER);
    expect(title).not.toBe('');
    expect(text).toMatch(/[.!。]$/);
    expect(`${title} ${text}`).not.toMatch(/\$|undefined/);
  });
});

test('an invalid request has the server’s English message, unless fields are marked', () => {
  speak('de');
  const failure = { ok: false, code: 'invalid_request', message: 'tags: Unknown field.' } as const;
  expect(errorText(failure)).toMatchObject({ text: 'tags: Unknown field.', isEnglish: true });
  const marked = errorText({ ...failure, isMarked: true });
  expect(marked.text).toBe('Prüfe die markierten Felder.');
  expect(marked.isEnglish).toBeUndefined();
});

test('a sign-in key without the permission and a removed domain are no failure of the server', () => {
  speak('en');
  const scope = errorText({ ok: false, code: 'insufficient_scope' }, SERVER);
  expect(scope.title).toBe('Your sign-in key doesn’t allow this');
  expect(scope.remedy).toBe('open_options');
  const message = 'domain: Must be a domain that the account can use: s.example.';
  const domain = errorText({ ok: false, code: 'invalid_domain', message }, SERVER);
  expect(domain).toMatchObject({ text: message, remedy: 'try_again' });
});

test('a full queue can be retried once some requests are discarded', () => {
  expect(errorText({ ok: false, code: 'queue_full' }, SERVER).remedy).toBe('try_again');
});

test('a blocked host and a suspended account are not retried', () => {
  expect(errorText({ ok: false, code: 'blocked_url' }, SERVER).remedy).toBe('none');
  expect(errorText({ ok: false, code: 'account_suspended' }, SERVER).remedy).toBe('open_options');
});

describe('a limit', () => {
  beforeEach(() => speak('en'));
  afterEach(() => {
    vi.useRealTimers();
  });
  const now = new Date(2030, 0, 31, 12, 0);

  test.each([
    [0, 'in 1 second'],
    [42, 'in 42 seconds'],
    [58.5, 'in 59 seconds'],
    [60, 'in 1 minute'],
    [63, 'in 1 minute'],
    [119, 'in 2 minutes'],
    [121, 'in 3 minutes'],
    [3599, 'in 60 minutes'],
    [86_400, 'February 1, 2030 at 12:00 PM'],
  ])('that ends in %i seconds ends %s', (seconds, words) => {
    expect(formatWait(seconds, now)).toBe(words);
  });

  test('per minute or month has its end in the text', () => {
    const minute = errorText({ ok: false, code: 'rate_limited', retryAfterSeconds: 42 }, SERVER);
    expect(minute.text).toBe('You can create more links in 42 seconds.');
    const hours = errorText({ ok: false, code: 'rate_limited', retryAfterSeconds: 7200 }, SERVER);
    expect(hours.text).toMatch(/^You can create more links from .*\d{4} at .*M\.$/);
    const month = errorText(
      { ok: false, code: 'quota_exceeded', retryAfterSeconds: 90_000 },
      SERVER,
    );
    expect(month.text).toMatch(/\d{4} at/);
    expect(month.title).not.toBe(minute.title);
  });

  test('with a queued request has the time of the next attempt', () => {
    standStill();
    const queuedErrorText = (waitMs: number) =>
      errorText(
        { ok: false, code: 'rate_limited', queued: { id: '', retryAtMs: START + waitMs } },
        SERVER,
      );
    expect(queuedErrorText(42_000).text).toBe(
      'Saved for later. Curt will try again in 42 seconds and notify you.',
    );
    expect(queuedErrorText(90_000_000).text).toMatch(/^Saved for later. Next try: .*\d{4} at/);
  });

  test('without an end time says to try later', () => {
    expect(errorText({ ok: false, code: 'rate_limited' }, SERVER).text).toBe('Try again later.');
  });
});

describe('each error has a text of its own', () => {
  beforeEach(() => speak('en'));
  beforeEach(standStill);
  const textOf = (code: FailureCode) => errorText({ ok: false, code }, SERVER).text;

  test.each<[FailureCode, string]>([
    [
      'page_url_too_long',
      'Curt shortens URLs of up to 8,192 characters. Letters outside A–Z can count several times. Try a shorter form, for example without the part after ? or #.',
    ],
    ['text_not_url', 'Enter a complete URL without spaces, such as example.com/page.'],
    [
      'gateway_error',
      'A proxy responds for curt.example, but the server behind it is down. Check that Curt is running.',
    ],
    [
      'redirected',
      'Open curt.example in a tab to see where it redirects, and enter that address in Settings.',
    ],
    ['account_limit', 'Paste a sign-in key in Settings, or try again tomorrow.'],
  ])('%s', (code, text) => {
    expect(textOf(code)).toBe(text);
  });

  test('the account limit differs from the rate limit, and links to the settings', () => {
    const accounts = errorText({ ok: false, code: 'account_limit', status: 429 }, SERVER);
    expect(accounts.title).toBe('Too many new accounts from this network today');
    expect(accounts.remedy).toBe('open_options');
  });

  test('a request queued for the account limit says what helps before it ends', () => {
    const retryAtMs = START + 20 * 3_600_000;
    const { text } = errorText(
      { ok: false, code: 'account_limit', queued: { id: '', retryAtMs } },
      SERVER,
    );
    expect(text).toMatch(/Next try: .*\d{4} at .*paste a sign-in key/);
  });

  test('a server that can’t be reached over HTTPS may have a certificate that the extension doesn’t trust', () => {
    vi.stubEnv('FIREFOX', '');
    onTestFinished(() => {
      vi.unstubAllEnvs();
    });
    const queued = { id: '', retryAtMs: START + 60_000 };
    const unreachable = { ok: false, code: 'unreachable' } as const;
    for (const failure of [unreachable, { ...unreachable, queued }]) {
      expect(errorText(failure, SERVER).text).toContain('import that certificate');
      expect(errorText(failure, 'http://curt.example').text).not.toContain('certificate');
    }
    expect(errorText({ ok: false, code: 'timeout' }, SERVER).text).not.toContain('certificate');
  });

  test('a proxy’s error is not shown as "No server is responding yet"', () => {
    const first = {
      ok: false,
      isFirstRun: true,
      queued: { id: '', retryAtMs: START },
    } as const;
    expect(errorText({ ...first, code: 'unreachable' }, SERVER).title).toBe(
      'No server is responding yet',
    );
    expect(errorText({ ...first, code: 'gateway_error' }, SERVER).title).toBe(
      'The server is unavailable',
    );
  });
});
