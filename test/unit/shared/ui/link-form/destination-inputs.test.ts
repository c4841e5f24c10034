import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { setMessageSource } from '../../../../../shared/i18n/translate.ts';
import { newLinkDestinations } from '../../../../../shared/links/destination-schemas.ts';
import type { RecordDestinations, Rule } from '../../../../../shared/links/destinations.ts';
import type { ShownLink } from '../../../../../shared/links/shown-link.ts';
import {
  changedDestinations,
  destinationFieldOf,
  destinationIssues,
  EMPTY_DESTINATIONS,
  issuesLeft,
  newDestinations,
  toDestinationInputs,
} from '../../../../../shared/ui/link-form/destination-inputs.ts';
import type { RuleInput } from '../../../../../shared/ui/link-form/rule-inputs.ts';

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
const FULL: RecordDestinations = {
  startsAt: '2030-01-31T12:00:00.000Z',
  goneUrl: 'https://example.com/over',
  card: { title: 'A title', description: 'One line\nand another', imageUrl: 'https://i.example/' },
  rules: [EVERY_CONDITION, { query: { name: 'ref' }, originalUrl: 'https://example.com/b' }],
};

const linkWith = (destinations: Partial<RecordDestinations>) =>
  ({ serverState: { id: '1', version: 1, ...destinations } }) as ShownLink;
const rule = (conditions: Partial<RuleInput>): RuleInput => ({
  originalUrl: 'https://example.com/',
  ...conditions,
});
const issuesOf = (...rules: RuleInput[]) => destinationIssues({ ...EMPTY_DESTINATIONS, rules });

beforeEach(() => setMessageSource((key) => key));
afterEach(() => setMessageSource(() => ''));

test('an empty form requests nothing', () => {
  expect(newDestinations(EMPTY_DESTINATIONS)).toEqual({});
  expect(toDestinationInputs(linkWith({}))).toEqual(EMPTY_DESTINATIONS);
});

test('a form that was filled in from a link requests the same', () => {
  const inputs = toDestinationInputs(linkWith(FULL));
  expect(newDestinations(inputs)).toEqual(FULL);
  expect(destinationIssues(inputs)).toEqual({});
  expect(changedDestinations(inputs, inputs)).toEqual({});
});

test('only what was changed is sent, and null for what was emptied', () => {
  const before = toDestinationInputs(linkWith(FULL));
  const after = { ...before, goneUrl: ' ', rules: before.rules.slice(1) };
  expect(changedDestinations(after, before)).toEqual({ goneUrl: null, rules: [FULL.rules[1]] });
  const emptied = { startsAt: null, goneUrl: null, card: null, rules: [] };
  expect(changedDestinations(EMPTY_DESTINATIONS, before)).toEqual(emptied);
});

test('a time in the hour that clocks repeat stays while another rule is changed', () => {
  vi.stubEnv('TZ', 'Europe/Berlin');
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  const [first, second] = ['2030-10-27T00:30:00.000Z', '2030-10-27T01:30:00.000Z'];
  const rules = [
    { from: first, originalUrl: 'https://example.com/a' },
    { from: second, originalUrl: 'https://example.com/b' },
  ];
  const inputs = toDestinationInputs(linkWith({ rules }));
  expect(newDestinations(inputs)).toEqual({ rules });
  const edited = inputs.rules.map((input) => ({ ...input, from: '2030-10-27T03:30' }));
  const changed = rules.map((one) => ({ ...one, from: '2030-10-27T02:30:00.000Z' }));
  expect(newDestinations({ ...inputs, rules: edited })).toEqual({ rules: changed });
});

test('the server accepts what the form accepts', () => {
  const { card, goneUrl, rules, startsAt } = newLinkDestinations;
  const sent = newDestinations({
    startsAt: '2030-01-31T12:00',
    goneUrl: 'example.com/over',
    cardTitle: ' With a \u0007 bell ',
    cardDescription: '\u0000',
    cardImageUrl: 'example.com/image.png',
    rules: [
      rule({ share: '100', query: 'a', queryValue: '' }),
      rule({ until: '2030-01-31T12:00' }),
    ],
  });
  for (const [name, schema] of Object.entries({ card, goneUrl, rules, startsAt })) {
    expect(schema.safeParse(sent[name as keyof typeof sent]).error?.issues).toBeUndefined();
  }
});

describe('an issue is reported', () => {
  test.each<[string, RuleInput, string, string]>([
    [
      'for a condition without a value',
      rule({ language: '' }),
      'rules.0.language',
      'rule_value_missing',
    ],
    ['for a parameter without a name', rule({ query: ' ' }), 'rules.0.query', 'rule_value_missing'],
    [
      'for a time in a year of six digits',
      rule({ from: '202612-01-01T12:00' }),
      'rules.0.from',
      'rule_value_missing',
    ],
    ['for a share of 0', rule({ share: '0' }), 'rules.0.share', 'rule_share_invalid'],
    ['for a share of 101', rule({ share: '101' }), 'rules.0.share', 'rule_share_invalid'],
    ['for a part of a percent', rule({ share: '2.5' }), 'rules.0.share', 'rule_share_invalid'],
    [
      'for an end that is the start',
      rule({ from: '2030-01-31T12:00', until: '2030-01-31T12:00' }),
      'rules.0.until',
      'rule_until_invalid',
    ],
    [
      'for a rule without a destination',
      { device: 'phone', originalUrl: ' ' },
      'rules.0.originalUrl',
      'field_target_missing',
    ],
  ])('%s', (_, input, path, text) => {
    expect(issuesOf(input)).toEqual({ [path]: text });
  });

  test('for a start that is no date', () => {
    expect(destinationIssues({ ...EMPTY_DESTINATIONS, startsAt: '?' })).toEqual({
      startsAt: 'rule_value_missing',
    });
  });
});

test.each([
  ['startsAt', 'startsAt'],
  ['goneUrl', 'goneUrl'],
  ['card.imageUrl', 'cardImageUrl'],
  ['rules.2', 'rules.2'],
  ['rules.2.originalUrl', 'rules.2.originalUrl'],
  ['rules.2.query.name', 'rules.2.query'],
  ['title', undefined],
])('what the server rejects at %s is shown at %s', (path, field) => {
  expect(destinationFieldOf(path)).toBe(field);
});

test('an issue goes with the value that it is about, and those of other rules stay', () => {
  const rules = [rule({ share: '0' }), rule({ share: '101' })];
  const issues = { title: 'a', 'rules.0.share': 'b', 'rules.1.share': 'c' };
  const changed = { rules: [rule({ share: '10' }), rules[1] as RuleInput] };
  expect(issuesLeft(issues, { rules }, changed)).toEqual({ title: 'a', 'rules.1.share': 'c' });
  const swapped = { rules: rules.toReversed() };
  expect(issuesLeft(issues, { rules }, swapped)).toEqual({ title: 'a' });
});
