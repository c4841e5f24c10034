import fc from 'fast-check';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { fillIn } from '../../../../../shared/i18n/fill-in.ts';
import { setMessageSource } from '../../../../../shared/i18n/translate.ts';
import type { RecordDestinations, Rule } from '../../../../../shared/links/destinations.ts';
import { editRequestSchema } from '../../../../../shared/links/edit-request.ts';
import { shortenRequestSchema } from '../../../../../shared/links/shorten-request.ts';
import { readLocales } from '../../../../../shared/locales/read-locales.ts';
import { readParameter, withParameter } from '../../../../../shared/ui/link-form/campaign.ts';
import { issuesLeft, markFields } from '../../../../../shared/ui/link-form/form-issues.ts';
import { summaryOf } from '../../../../../shared/ui/link-form/form-summaries.ts';
import {
  EMPTY_FORM,
  fieldOf,
  type LinkForm,
  newForm,
  toChanges,
  toForm,
} from '../../../../../shared/ui/link-form/link-form.ts';
import type { RuleInput } from '../../../../../shared/ui/link-form/rule-inputs.ts';
import { aLink } from '../../../extension/support/a-link.ts';

const PAGE = 'https://example.com/page';
const NOW = Date.UTC(2029, 0);

const EVERY_CONDITION: Rule = {
  device: 'phone',
  system: 'Android',
  language: 'de',
  country: 'CH',
  query: { name: 'src', value: 'qr' },
  from: '2030-01-31T12:00:07.000Z',
  until: '2030-02-28T00:00:00.000Z',
  share: 30,
  originalUrl: 'https://example.com/a',
};
const DESTINATIONS: RecordDestinations = {
  startsAt: '2030-01-31T12:00:07.000Z',
  goneUrl: 'https://example.com/over',
  card: { title: 'A title', description: 'One line\nand another', imageUrl: 'https://i.example/' },
  rules: [EVERY_CONDITION, { query: { name: 'ref' }, originalUrl: 'https://example.com/b' }],
};
/** A link with every option, whose expiry has passed. */
const FULL = aLink({
  ...DESTINATIONS,
  title: 'Launch',
  tags: ['work'],
  waitTimer: 5,
  description: 'For the team',
  customGtmId: 'GTM-ABC1234',
  expiresAt: '2028-06-01T12:00:30.000Z',
  maxVisits: 5,
  hasPassword: true,
});

const ISSUE = 'Use only the letters A to Z, digits, - and _, up to 64 characters.';

function speak(language: string): void {
  const { [language]: texts = {} } = readLocales();
  setMessageSource((key, substitutions) => fillIn(texts[key] ?? '', substitutions));
}
beforeEach(() => speak('en'));

const form = (fields: Partial<LinkForm>): LinkForm => ({ ...newForm({ url: PAGE }), ...fields });
/** What creates a link with these fields. */
const request = (fields: Partial<LinkForm>) => toChanges(form(fields), EMPTY_FORM, NOW);
/** What edits the full link. */
const edit = (fields: Partial<LinkForm>) =>
  toChanges({ ...toForm(FULL), ...fields }, toForm(FULL), NOW);
const rule = (conditions: Partial<RuleInput>): RuleInput => ({
  originalUrl: 'https://example.com/',
  ...conditions,
});

describe('a new link', () => {
  test('requests only the page if nothing else is filled in', () => {
    expect(request({})).toEqual({ ok: true, changes: { originalUrl: PAGE } });
  });

  test('has every field of the form', () => {
    const fields = {
      customAlias: '\u200b docs\u00a0',
      password: ' with spaces ',
      expiryKind: 'custom',
      expiryAmount: '1.5',
      expiryUnit: 'hours',
      maxVisits: '5',
      waitTimer: '10',
      customGtmId: 'GTM-ABC1234\u200b',
      title: 'A title',
      description: 'One line\nand another',
    } as const;
    expect(request(fields)).toEqual({
      ok: true,
      changes: {
        originalUrl: PAGE,
        customAlias: 'docs',
        password: ' with spaces ',
        expiresInHours: 1.5,
        maxVisits: 5,
        waitTimer: 10,
        customGtmId: 'GTM-ABC1234',
        title: 'A title',
        description: 'One line\nand another',
      },
    });
  });

  test('that is filled in like another link has the same destinations', () => {
    const { startsAt, goneUrl, cardTitle, cardDescription, cardImageUrl, rules } = toForm(FULL);
    const fields = { startsAt, goneUrl, cardTitle, cardDescription, cardImageUrl, rules };
    expect(request(fields)).toEqual({ ok: true, changes: { originalUrl: PAGE, ...DESTINATIONS } });
  });

  test.each([
    ['1h', { expiresInHours: 1 }],
    ['1d', { expiresInDays: 1 }],
    ['7d', { expiresInDays: 7 }],
    ['30d', { expiresInDays: 30 }],
  ] as const)('that expires after %s says so as a duration', (expiryKind, expiry) => {
    expect(request({ expiryKind })).toEqual({
      ok: true,
      changes: { originalUrl: PAGE, ...expiry },
    });
  });

  test('has a local date in UTC, and no value that is hidden', () => {
    const expiresAt = '2030-01-31T12:00';
    expect(request({ expiryKind: 'custom', expiresAt })).toMatchObject({
      changes: { expiresAt: new Date(2030, 0, 31, 12).toISOString() },
    });
    expect(request({ expiryKind: 'never', expiresAt, expiryAmount: '3' })).toEqual({
      ok: true,
      changes: { originalUrl: PAGE },
    });
  });

  test('has no text of nothing but control characters', () => {
    expect(request({ title: '\u0000', description: '\u0000' })).toEqual({
      ok: true,
      changes: { originalUrl: PAGE },
    });
  });

  test('has the title of its page as its private one: one line, 200 characters, no split emoji', () => {
    expect(newForm({ title: '  Two\n lines\t and\u0007 more ' }).label).toBe('Two lines and more');
    expect([...newForm({ title: '🙂'.repeat(400) }).label]).toHaveLength(200);
  });
});

describe('an edit', () => {
  test('of a link with every option changes nothing as it is, although its expiry has passed', () => {
    expect(edit({})).toEqual({ ok: true, changes: {} });
  });

  test('has only what was changed, and null for what was emptied', () => {
    const { rules } = toForm(FULL);
    expect(edit({ goneUrl: ' ', rules: rules.slice(1), cardTitle: '', cardImageUrl: '' })).toEqual({
      ok: true,
      changes: {
        goneUrl: null,
        rules: DESTINATIONS.rules.slice(1),
        card: { description: 'One line\nand another' },
      },
    });
    const { originalUrl, customAlias, domain } = toForm(FULL);
    const emptied = { ...EMPTY_FORM, originalUrl, customAlias, domain, removesPassword: true };
    expect(edit(emptied)).toEqual({
      ok: true,
      changes: {
        ...{ title: '', tags: [], waitTimer: 0, description: null, customGtmId: null },
        ...{ startsAt: null, goneUrl: null, card: null, rules: [] },
        ...{ expiresAt: null, maxVisits: null, password: null },
      },
    });
  });

  test('needs a destination and an alias, and a new expiry in the future', () => {
    expect(edit({ originalUrl: ' ', customAlias: '', expiresAt: '2028-07-01T00:00' })).toEqual({
      ok: false,
      issues: {
        originalUrl: 'Enter a URL.',
        customAlias: ISSUE,
        expiresAt: 'Choose a time in the future.',
      },
    });
  });

  test('keeps conditions of a rule that only a newer server knows', () => {
    const newer = { network: 'home', originalUrl: 'https://example.com/a' };
    const before = toForm(aLink({ rules: [newer] }));
    const added = { device: 'phone', originalUrl: 'https://example.com/b' };
    expect(toChanges({ ...before, rules: [...before.rules, added] }, before, NOW)).toEqual({
      ok: true,
      changes: { rules: [newer, added] },
    });
  });

  test('keeps a time in the hour that clocks repeat while another rule is changed', () => {
    vi.stubEnv('TZ', 'Europe/Berlin');
    onTestFinished(() => {
      vi.unstubAllEnvs();
    });
    const rules = [
      { from: '2030-10-27T00:30:00.000Z', originalUrl: 'https://example.com/a' },
      { from: '2030-10-27T01:30:00.000Z', originalUrl: 'https://example.com/b' },
    ];
    const before = toForm(aLink({ rules }));
    const [first, second] = before.rules as [RuleInput, RuleInput];
    const changed = { ...second, from: '2030-10-27T03:30' };
    expect(toChanges({ ...before, rules: [first, changed] }, before, NOW)).toEqual({
      ok: true,
      changes: { rules: [rules[0], { ...rules[1], from: '2030-10-27T02:30:00.000Z' }] },
    });
  });
});

test.each<[Partial<LinkForm>, string, string]>([
  [{ originalUrl: ' ' }, 'originalUrl', 'Enter a URL, such as example.com/page.'],
  [{ customAlias: 'no spaces' }, 'customAlias', ISSUE],
  [{ customAlias: 'é' }, 'customAlias', ISSUE],
  // A field that cut it off would make another alias.
  [{ customAlias: 'a'.repeat(65) }, 'customAlias', ISSUE],
  [
    { expiryKind: 'custom', expiresAt: '2028-12-31T00:00' },
    'expiresAt',
    'Choose a time in the future.',
  ],
  [{ expiryKind: 'custom' }, 'expiryAmount', 'Enter a duration or a date.'],
  [{ expiryKind: 'custom', expiryAmount: 'soon' }, 'expiryAmount', 'Enter a number.'],
  [{ expiryKind: 'custom', expiryAmount: '0' }, 'expiryAmount', 'Choose a time in the future.'],
  [{ startsAt: '202612-01-01T12:00' }, 'startsAt', 'Choose or enter a value.'],
  [{ maxVisits: '0' }, 'maxVisits', 'Enter a whole number of 1 or more.'],
  [{ waitTimer: 'a while' }, 'waitTimer', 'Enter 0 to 300 seconds.'],
  [{ waitTimer: '-1' }, 'waitTimer', 'Enter 0 to 300 seconds.'],
  [{ waitTimer: '300.5' }, 'waitTimer', 'Enter 0 to 300 seconds.'],
  [
    { customGtmId: 'gtm-abc1234' },
    'customGtmId',
    'Enter GTM- followed by 4 to 10 capital letters or digits.',
  ],
  [{ rules: [rule({ language: '' })] }, 'rules.0.language', 'Choose or enter a value.'],
  [{ rules: [rule({ query: ' ' })] }, 'rules.0.query', 'Choose or enter a value.'],
  [{ rules: [rule({ from: '202612-01-01T12:00' })] }, 'rules.0.from', 'Choose or enter a value.'],
  [{ rules: [rule({ share: '0' })] }, 'rules.0.share', 'Enter a whole number from 1 to 100.'],
  [{ rules: [rule({ share: '101' })] }, 'rules.0.share', 'Enter a whole number from 1 to 100.'],
  [{ rules: [rule({ share: '2.5' })] }, 'rules.0.share', 'Enter a whole number from 1 to 100.'],
  [
    { rules: [rule({ from: '2030-01-31T12:00', until: '2030-01-31T12:00' })] },
    'rules.0.until',
    'Choose a time after the start.',
  ],
  [{ rules: [{ device: 'phone', originalUrl: ' ' }] }, 'rules.0.originalUrl', 'Enter a URL.'],
])('%j is rejected with an issue at %s: %s', (fields, name, words) => {
  expect(request(fields)).toEqual({ ok: false, issues: { [name]: words } });
});

test('all issues are reported at once', () => {
  const result = request({ customAlias: '!', waitTimer: '301', expiryKind: 'custom' });
  expect(result.ok ? [] : Object.keys(result.issues).sort()).toEqual([
    'customAlias',
    'expiryAmount',
    'waitTimer',
  ]);
});

test('the server accepts what the form accepts, as a new link and as an edit', () => {
  const text = fc.string({ unit: 'binary', maxLength: 2100 });
  const word = fc.oneof(text, fc.stringMatching(/^[A-Za-z0-9_-]{0,70}$/));
  const filledIn: fc.Arbitrary<Partial<LinkForm>> = fc.record(
    {
      customAlias: word,
      expiryKind: fc.constantFrom('never' as const, '7d' as const, 'custom' as const),
      expiryAmount: fc.oneof(text, fc.double().map(String)),
      expiryUnit: fc.constantFrom('minutes' as const, 'hours' as const, 'days' as const),
      waitTimer: fc.oneof(text, fc.double({ min: -1, max: 301 }).map(String)),
      customGtmId: fc.oneof(text, fc.stringMatching(/^GTM-[A-Z0-9]{3,11}$/)),
      maxVisits: fc.oneof(text, fc.nat().map(String)),
      goneUrl: fc.constantFrom('', 'example.com/over'),
      cardTitle: text,
      cardDescription: text,
      cardImageUrl: fc.constantFrom('', 'example.com/image.png'),
      rules: fc.constantFrom(
        [],
        [rule({ share: '100', query: 'a', queryValue: '' }), rule({ until: '2030-01-31T12:00' })],
      ),
      title: text,
      description: text,
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(filledIn, (fields) => {
      for (const [sent, schema] of [
        [request(fields), shortenRequestSchema],
        [edit(fields), editRequestSchema],
      ] as const) {
        if (sent.ok) expect(schema.safeParse(sent.changes).error?.issues ?? []).toEqual([]);
      }
    }),
    { numRuns: 500 },
  );
});

describe('what the server rejects', () => {
  /** A form's text at its fields, and whether they show everything. */
  function mark(paths: string[], fields: Partial<LinkForm>, code = 'invalid_request') {
    const failure = { code, issues: paths.map((path) => ({ path })) };
    const marked = markFields(failure, (path) => fieldOf(path, form(fields)));
    return [marked.issues, marked.failure.isMarked];
  }

  test('is shown at its fields in the user’s language', () => {
    speak('de');
    const words = 'Der Server akzeptiert diesen Wert nicht. Ändere ihn oder lass das Feld leer.';
    const paths = ['customAlias', 'expiresInDays', 'waitTimer', 'tags.1'];
    const custom = { expiryKind: 'custom', expiryAmount: '3' } as const;
    const all = { customAlias: words, expiryAmount: words, waitTimer: words, tags: words };
    expect(mark(paths, custom)).toEqual([all, true]);
    const dated = { expiryKind: 'custom', expiresAt: '2030-01-31T12:00' } as const;
    expect(mark(['expiresAt'], dated)).toEqual([{ expiresAt: words }, true]);
  });

  test('is not said to be at its fields if a part has none', () => {
    expect(mark(['customAlias', 'reuse'], {})[1]).toBe(false);
    expect(mark([''], {})).toEqual([{}, false]);
    expect(mark([], {})).toEqual([{}, false]);
    expect(mark(['forwardQuery'], {})).toEqual([{}, false]);
    // Neither a duration nor a date is shown then.
    expect(mark(['expiresInDays'], { expiryKind: '7d' })).toEqual([{}, false]);
  });

  test('has a text of its own for a taken alias and a time in the past', () => {
    expect(mark([], {}, 'alias_taken')).toEqual([{ customAlias: 'This alias is taken' }, true]);
    const custom = { expiryKind: 'custom', expiresAt: '2020-01-31T12:00' } as const;
    expect(mark(['expiresAt'], custom, 'expires_in_past')).toEqual([
      { expiresAt: 'Choose a time in the future.' },
      true,
    ]);
  });

  test.each([
    ['domain', 'customAlias'],
    ['startsAt', 'startsAt'],
    ['goneUrl', 'goneUrl'],
    ['card.imageUrl', 'cardImageUrl'],
    ['rules.2', 'rules.2'],
    ['rules.2.originalUrl', 'rules.2.originalUrl'],
    ['rules.2.query.name', 'rules.2.query'],
    ['rules', undefined],
  ])('at %s is shown at %s', (path, field) => {
    expect(fieldOf(path, EMPTY_FORM)).toBe(field);
  });
});

test('an issue goes with the value that it is about, and those of other rules stay', () => {
  const rules = [rule({ share: '0' }), rule({ share: '101' })];
  const issues = { title: 'a', 'rules.0.share': 'b', 'rules.1.share': 'c' };
  const changed = { rules: [rule({ share: '10' }), rules[1] as RuleInput] };
  expect(issuesLeft(issues, { rules }, changed)).toEqual({ title: 'a', 'rules.1.share': 'c' });
  expect(issuesLeft(issues, { rules }, { rules: rules.toReversed() })).toEqual({ title: 'a' });
});

describe('a folded part says what is set', () => {
  const full = {
    ...toForm(FULL),
    originalUrl: `${PAGE}?utm_source=news&utm_campaign=spring%20sale`,
  };

  test('and nothing if nothing is', () => {
    for (const part of ['when', 'protection', 'preview', 'rules', 'campaigns'] as const) {
      expect(summaryOf(part, EMPTY_FORM, false)).toBe('');
    }
  });

  test.each([
    ['when', /^Starts .*2030.* · Expires .*2028.* · 5 visits · example\.com$/],
    ['protection', /^Password · Wait before redirect: 5 s/],
    ['preview', /^A title$/],
    ['rules', /^2 rules$/],
    ['campaigns', /^news \/ spring sale · Description · Google Tag Manager ID$/],
  ] as const)('of %s', (part, words) => {
    expect(summaryOf(part, full, true)).toMatch(words);
  });

  test('of a duration, until it is no number', () => {
    const custom = form({ expiryKind: 'custom', expiryAmount: '3' });
    expect(summaryOf('when', custom, false)).toBe('Expires after 3 days');
    expect(summaryOf('when', form({ expiryKind: '7d' }), false)).toBe('Expires after 7 days');
    expect(summaryOf('when', { ...custom, expiryAmount: '?' }, false)).toBe('');
  });

  test('of a password as it will be', () => {
    expect(summaryOf('protection', form({ removesPassword: true }), true)).toBe('');
    expect(summaryOf('protection', form({ password: 'x' }), false)).toBe('Password');
  });
});

describe('a campaign parameter', () => {
  test.each([
    ['example.com', 'utm_source', 'spring sale', 'example.com?utm_source=spring%20sale'],
    [`${PAGE}?a=1#top`, 'utm_source', 'x', `${PAGE}?a=1&utm_source=x#top`],
    [`${PAGE}?utm_source=x&a=%20+b`, 'utm_source', 'y&z', `${PAGE}?utm_source=y%26z&a=%20+b`],
    [`${PAGE}?utm_source=x`, 'utm_source', '', PAGE],
    [`${PAGE}?a&utm_source=x&utm_medium=m#t?u`, 'utm_source', '', `${PAGE}?a&utm_medium=m#t?u`],
    [PAGE, 'utm_source', '', PAGE],
  ])('of %s is set: %s=%s', (url, name, value, changed) => {
    expect(withParameter(url, name, value)).toBe(changed);
    expect(readParameter(changed, name)).toBe(value);
  });

  test('is read as it is if it is no UTF-8', () => {
    expect(readParameter(`${PAGE}?utm_source=%ff`, 'utm_source')).toBe('%ff');
    expect(readParameter(`${PAGE}?utm_source`, 'utm_source')).toBe('');
  });
});
