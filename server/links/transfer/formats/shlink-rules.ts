import { z } from 'zod';
import type { DraftRule } from '../imported-link.ts';
import { timeText } from './fields.ts';

const conditionSchema = z.object({
  type: z.string(),
  matchKey: z.string().nullish(),
  matchValue: z.string().nullish(),
});

/** `redirectRules` of `GET /rest/v3/short-urls/{shortCode}/redirect-rules`. */
export const shlinkRules = z.array(
  z.object({
    longUrl: z.string(),
    priority: z.number().nullish(),
    conditions: z.array(conditionSchema),
  }),
);

type Conditions = Omit<DraftRule, 'originalUrl'>;

const DEVICES = new Map<string, Conditions[]>([
  ['android', [{ system: 'Android' }]],
  ['ios', [{ system: 'iOS' }]],
  ['mobile', [{ system: 'Android' }, { system: 'iOS' }]],
  ['windows', [{ system: 'Windows' }]],
  ['macos', [{ system: 'macOS' }]],
  ['linux', [{ system: 'Linux' }]],
  ['chromeos', [{ system: 'Chrome OS' }]],
  ['desktop', [{ device: 'computer' }]],
]);

/** A rule with a condition that Curt does not have would hold for too many visits, so it is left out. */
export function toRules(rules: z.output<typeof shlinkRules>) {
  const notes = new Set<string>();
  const converted = rules
    .toSorted((one, other) => (one.priority ?? 0) - (other.priority ?? 0))
    // Without conditions, Shlink never uses it.
    .filter(({ conditions }) => conditions.length > 0)
    .flatMap(({ longUrl, conditions }) => {
      let alternatives: Conditions[] = [{}];
      for (const condition of conditions) {
        const more = toAlternatives(condition);
        alternatives = alternatives.flatMap((one) => more.flatMap((other) => join(one, other)));
        if (alternatives.length > 0) continue;
        const reason = more.length > 0 ? 'twice the condition' : 'the condition';
        notes.add(`A redirect rule is left out: Curt cannot have ${reason} "${condition.type}".`);
        return [];
      }
      return alternatives.map((each): DraftRule => ({ ...each, originalUrl: longUrl }));
    });
  return { rules: converted, notes: [...notes] };
}

function join(one: Conditions, other: Conditions): Conditions[] {
  const isDouble = Object.keys(other).some((name) => name in one);
  return isDouble ? [] : [{ ...one, ...other }];
}

/** Any of them must hold. None: Curt has no such condition. */
function toAlternatives({ type, ...match }: z.output<typeof conditionSchema>): Conditions[] {
  const value = match.matchValue ?? '';
  const name = match.matchKey ?? '';
  switch (type) {
    case 'device':
      return DEVICES.get(value.toLowerCase()) ?? [];
    case 'language':
      return [{ language: value.replace('_', '-') }];
    case 'query-param':
      return [{ query: { name, value } }];
    case 'valueless-query-param':
      return [{ query: { name, value: '' } }];
    case 'any-value-query-param':
      return [{ query: { name } }];
    case 'geolocation-country-code':
      return [{ country: value.toUpperCase() }];
    case 'before-date':
    case 'after-date': {
      const { data: time } = timeText.safeParse(value);
      if (time == null) return [];
      return [{ [type === 'before-date' ? 'until' : 'from']: new Date(time).toISOString() }];
    }
    default:
      return [];
  }
}
