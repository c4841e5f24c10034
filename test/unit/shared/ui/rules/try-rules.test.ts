import { expect, test } from 'vitest';
import { setMessageSource } from '../../../../../shared/i18n/translate.ts';
import { OWN_TARGET } from '../../../../../shared/links/choose-target.ts';
import type { RuleInput } from '../../../../../shared/ui/link-form/rule-inputs.ts';
import { type TriedVisit, tryRules } from '../../../../../shared/ui/rules/TryRules.tsx';

const VISIT: TriedVisit = {
  device: 'phone',
  system: 'Android',
  language: 'de',
  country: 'CH',
  time: '2030-01-31T12:00',
  query: 'src=qr',
};
const rule = (conditions: Partial<RuleInput>): RuleInput => ({ originalUrl: '', ...conditions });
const targets = (rules: RuleInput[], visit: Partial<TriedVisit> = {}) =>
  tryRules(rules, { ...VISIT, ...visit });

setMessageSource((key) => key);

test.each<[Partial<RuleInput>, Partial<TriedVisit>]>([
  [{ device: 'phone' }, { device: 'computer' }],
  [{ system: 'Android' }, { system: '' }],
  [{ language: 'de' }, { language: 'fr' }],
  [{ country: 'CH' }, { country: '' }],
  [{ query: 'src', queryValue: 'qr' }, { query: 'src=mail' }],
  [{ from: '2030-01-31T12:00' }, { time: '2030-01-31T11:59' }],
  [{ until: '2030-01-31T12:01' }, { time: '2030-01-31T12:01' }],
])('a rule with %j matches, and not a visit with %j', (conditions, others) => {
  expect(targets([rule(conditions)])).toEqual([{ target: 0, percent: 100 }]);
  expect(targets([rule(conditions)], others)).toEqual([{ target: OWN_TARGET, percent: 100 }]);
});

test('shares lead to several destinations, each with its percentage', () => {
  expect(targets([rule({ share: '30' }), rule({ share: '20', device: 'phone' })])).toEqual([
    { target: 0, percent: 30 },
    { target: 1, percent: 20 },
    { target: OWN_TARGET, percent: 50 },
  ]);
});

test('a rule whose conditions are not complete yet is left out', () => {
  const incomplete = [{ query: '' }, { share: '101' }, { until: '202612-01-01T12:00' }];
  const rules = [...incomplete, { device: 'phone' } as const].map(rule);
  expect(targets(rules)).toEqual([{ target: 3, percent: 100 }]);
});
