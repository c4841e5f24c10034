import { beforeEach, expect, test } from 'vitest';
import { linkFields, toChanges } from '../../../../../extension/pages/popup/form/edit-fields.ts';
import { aLink } from '../../support/a-link.ts';
import { speak } from '../../support/speak.ts';

const NOW = Date.UTC(2029, 0);
const LINK = aLink({
  shortUrl: 'https://s.example/launch',
  title: 'Launch',
  created: '2028-01-01T00:00:00.000Z',
  serverState: {
    id: '1',
    version: 1,
    startsAt: '2030-01-31T12:00:07.000Z',
    goneUrl: 'https://example.com/over',
    card: { title: 'Our launch' },
    rules: [
      { device: 'phone', originalUrl: 'https://example.com/phone' },
      { share: 30, originalUrl: 'https://example.com/b' },
    ],
  },
});

beforeEach(() => speak('en'));

test('the form of a link that leads to several pages changes nothing as it is', () => {
  expect(toChanges(LINK, {}, NOW)).toEqual({ ok: true, changes: {} });
});

test('only what differs of start, fallback, card and rules is sent', () => {
  const rules = linkFields(LINK).rules.toReversed();
  const changed = { rules, goneUrl: '', cardTitle: '', cardDescription: 'New' };
  expect(toChanges(LINK, changed, NOW)).toEqual({
    ok: true,
    changes: {
      rules: LINK.serverState?.rules?.toReversed(),
      goneUrl: null,
      card: { description: 'New' },
    },
  });
});

test('a rule that is not complete is not sent', () => {
  const rules = [{ device: 'phone', originalUrl: '' }];
  expect(toChanges(LINK, { rules }, NOW)).toEqual({
    ok: false,
    issues: { 'rules.0.originalUrl': 'Enter a URL.' },
  });
});
