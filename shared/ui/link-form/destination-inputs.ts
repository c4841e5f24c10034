import { t } from '../../i18n/translate.ts';
import { DESCRIPTION_MAX_CHARACTERS, TITLE_MAX_CHARACTERS } from '../../limits.ts';
import type { Card, RecordDestinations } from '../../links/destinations.ts';
import { isEmpty } from '../../links/fields.ts';
import { destinationsOf, type ShownLink } from '../../links/shown-link.ts';
import { fitLine, fitText } from '../../links/truncate.ts';
import { readTypedUrl } from '../../links/url-in-text.ts';
import { fromLocalTime, isLocalTime, toExactLocalTime } from './local-time.ts';
import { type RuleInput, type RuleIssues, ruleIssues, toRule, toRuleInput } from './rule-inputs.ts';

/** From when a link works, and where it leads besides its destination, as controls have it. */
export type DestinationInputs = {
  /** The value of `<input type="datetime-local">`: local time without an offset. Empty for at once. */
  startsAt: string;
  goneUrl: string;
  cardTitle: string;
  cardDescription: string;
  cardImageUrl: string;
  rules: RuleInput[];
};
export type DestinationIssues = { [K in keyof DestinationInputs]?: string } & RuleIssues;

/** The inputs of a form that was not filled in. */
export const EMPTY_DESTINATIONS: DestinationInputs = {
  startsAt: '',
  goneUrl: '',
  cardTitle: '',
  cardDescription: '',
  cardImageUrl: '',
  rules: [],
};

export function toDestinationInputs(link: ShownLink): DestinationInputs {
  const { startsAt, goneUrl, card, rules } = destinationsOf(link);
  return {
    startsAt: startsAt ? toExactLocalTime(startsAt) : '',
    goneUrl: goneUrl ?? '',
    cardTitle: card?.title ?? '',
    cardDescription: card?.description ?? '',
    cardImageUrl: card?.imageUrl ?? '',
    rules: rules.map(toRuleInput),
  };
}

/** What a new link gets: fields without input are absent. */
export function newDestinations(inputs: DestinationInputs) {
  const given = Object.entries(toDestinations(inputs)).filter(([, value]) => !isEmpty(value));
  return Object.fromEntries(given) as {
    [K in keyof RecordDestinations]?: NonNullable<RecordDestinations[K]>;
  };
}

/** What was changed, compared with how the form was filled in. */
export function changedDestinations(
  inputs: DestinationInputs,
  before: DestinationInputs,
): Partial<RecordDestinations> {
  const previous = new Map(Object.entries(toDestinations(before)));
  const changed = Object.entries(toDestinations(inputs)).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(previous.get(name)),
  );
  return Object.fromEntries(changed);
}

function toDestinations(inputs: DestinationInputs): RecordDestinations {
  const { startsAt, goneUrl, cardTitle, cardDescription, cardImageUrl, rules } = inputs;
  const title = fitLine(cardTitle, TITLE_MAX_CHARACTERS);
  const description = fitText(cardDescription, DESCRIPTION_MAX_CHARACTERS);
  const imageUrl = readTypedUrl(cardImageUrl);
  const card: Card = {
    ...(title && { title }),
    ...(description && { description }),
    ...(imageUrl && { imageUrl }),
  };
  return {
    startsAt: startsAt ? fromLocalTime(startsAt) : null,
    goneUrl: readTypedUrl(goneUrl) || null,
    card: Object.keys(card).length > 0 ? card : null,
    rules: rules.map(toRule),
  };
}

/** What is wrong, as far as no server is needed to see it. */
export function destinationIssues({ startsAt, rules }: DestinationInputs): DestinationIssues {
  const isStartInvalid = startsAt !== '' && !isLocalTime(startsAt);
  return {
    ...(isStartInvalid && { startsAt: t('rule_value_missing') }),
    ...ruleIssues(rules),
  };
}

const FIELD_OF_PATH = new Map(
  Object.entries<keyof DestinationInputs>({
    startsAt: 'startsAt',
    goneUrl: 'goneUrl',
    card: 'cardTitle',
    'card.title': 'cardTitle',
    'card.description': 'cardDescription',
    'card.imageUrl': 'cardImageUrl',
  }),
);

/** The field that shows what the server rejects at a name of the API; undefined if none does. */
export function destinationFieldOf(path: string): keyof DestinationIssues | undefined {
  const field = FIELD_OF_PATH.get(path);
  if (field || !path.startsWith('rules.')) return field;
  // A rule shows the name and the value of a parameter in one place.
  const [name, index, part] = path.split('.');
  return [name, index, part].filter((each) => each !== undefined).join('.') as `rules.${string}`;
}

/**
 * The issues that are left once some fields have other values. What is wrong with one rule stays while
 * another one is changed.
 */
export function issuesLeft<T extends object>(
  issues: T,
  before: { rules: RuleInput[] },
  changes: { rules?: RuleInput[] },
): T {
  const left = Object.entries(issues).filter(([path]) => {
    const [name = '', index] = path.split('.');
    if (!(name in changes)) return true;
    return index !== undefined && before.rules[Number(index)] === changes.rules?.[Number(index)];
  });
  return Object.fromEntries(left) as T;
}
