import { InvalidArgumentError, Option } from 'commander';
import { type Card, CONDITIONS, type Condition } from '../../../shared/links/destinations.ts';
import {
  definitionOf,
  mapFields,
  PLAIN_NAMES,
  type PlainField,
} from '../../../shared/links/plain-fields.ts';
import type { ShortenRequest } from '../../../shared/links/shorten-request.ts';
import { type CurtCommand, orNull, parseNumber, withoutUndefined } from '../command.ts';
import { readSecret } from '../terminal/prompts.ts';

/** A rule as the command has it. The server checks the values. */
type SentRule = { originalUrl: string } & { [condition in Condition]?: unknown };

/** Returns the parts of a card that are given, if any. */
function toCard(options: LinkOptions): Card | undefined {
  const { cardTitle, cardDescription, cardImage } = options;
  const card = withoutUndefined({
    title: cardTitle,
    description: cardDescription,
    imageUrl: cardImage,
  });
  return Object.keys(card).length > 0 ? card : undefined;
}

function addRule(text: string, rules: SentRule[] = []): SentRule[] {
  const [, conditions = '', originalUrl = ''] = /^(.*?)(?:→|->)(.*)$/s.exec(text) ?? [];
  if (originalUrl.trim() === '') {
    throw new InvalidArgumentError(
      'Must be conditions, an arrow and a URL, such as "device=phone → https://example.com/app".',
    );
  }
  const rule: SentRule = { originalUrl: originalUrl.trim() };
  for (const condition of conditions.split(/[,&]/)) {
    const { name, value } = parseCondition(condition);
    if (name in rule) throw new InvalidArgumentError(`Names ${name} twice. Use a rule for each.`);
    rule[name] = value;
  }
  return [...rules, rule];
}

function parseCondition(text: string): { name: Condition; value: unknown } {
  const [, given = text, value = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  const name = CONDITIONS.find((each) => each === given.trim());
  if (name === undefined) {
    throw new InvalidArgumentError(
      `"${text.trim()}" is not a condition. Use one of ${CONDITIONS.join(', ')}, with = and a value.`,
    );
  }
  if (name === 'query') return { name, value: parseParameter(value.trim()) };
  if (name === 'share') return { name, value: parseNumber(value.replace('%', '')) };
  return { name, value: value.trim() };
}

/** @param text as in a URL, such as `src` for any value, or `src=qr` */
function parseParameter(text: string): { name: string; value?: string } {
  const [[name, value] = ['', '']] = new URLSearchParams(text);
  return text.includes('=') ? { name, value } : { name };
}

/** The options that `shorten` and `edit` have in common. `edit` can remove some: then they are false. */
export type LinkOptions = {
  alias?: string;
  domain?: string;
  password?: string | false;
  expiresAt?: string;
  expiresIn?: Expiry;
  maxVisits?: number | false;
  rule?: SentRule[];
  rules?: boolean;
  startsAt?: string | false;
  goneUrl?: string | false;
  card?: boolean;
  cardTitle?: string;
  cardDescription?: string;
  cardImage?: string;
  [plainField: string]: unknown;
};

type Expiry = Pick<ShortenRequest, 'expiresInMinutes' | 'expiresInHours' | 'expiresInDays'>;

const UNITS = {
  m: 'expiresInMinutes',
  h: 'expiresInHours',
  d: 'expiresInDays',
} as const;

export function withLinkOptions(command: CurtCommand): CurtCommand {
  command
    .option('--alias <alias>', 'alias of the link')
    .option('--domain <host>', 'domain of the short URL')
    .option(
      '--password <password>',
      'password for visitors; "-" asks for it, or reads it from stdin',
    )
    .option('--expires-at <time>', 'when it expires, such as 2030-01-31T12:00:00Z')
    .option('--expires-in <duration>', 'when it expires, such as 30m, 12h or 7d', parseDuration)
    .option('--max-visits <number>', 'visits after which it stops working', parseNumber);
  for (const name of PLAIN_NAMES) command.addOption(plainOption(name));
  return command
    .option(
      '--rule <rule>',
      'where visits go instead, such as "device=phone, language=de → https://example.com/app"; the first rule that matches decides; repeat it for more',
      addRule,
    )
    .option('--starts-at <time>', 'when it begins to work, such as 2030-01-31T12:00:00Z')
    .option(
      '--gone-url <url>',
      'where visitors go once it has expired, reached its visit limit or is paused',
    )
    .option('--card-title <text>', 'title that chats show')
    .option('--card-description <text>', 'description that chats show')
    .option('--card-image <url>', 'URL of the image that chats show');
}

/** Adds the options of `edit` that reset a plain field, or remove where visits go. */
export function withResets(command: CurtCommand): CurtCommand {
  for (const name of PLAIN_NAMES) {
    const [, , flags, help] = definitionOf(name).cli;
    if (flags) command.option(flags, help);
  }
  return command
    .option('--no-rules', 'remove all rules')
    .option('--no-starts-at', 'remove the start time')
    .option('--no-gone-url', 'show a page that says why it no longer works')
    .option('--no-card', 'let chats show what they find')
    .exclusive('tag', 'tags')
    .exclusive('rule', 'rules')
    .exclusive('cardTitle', 'card')
    .exclusive('cardDescription', 'card')
    .exclusive('cardImage', 'card');
}

/** Returns the option for the value of a plain field. */
export function plainOption(name: PlainField, help = definitionOf(name).cli[1]): Option {
  const { cli, control } = definitionOf(name);
  const option = new Option(cli[0], help);
  if (control === 'number') option.argParser(parseNumber);
  if (control === 'tags') option.argParser((tag, tags: string[] = []) => [...tags, tag]);
  return option;
}

/** What the options say of a plain field; undefined if nothing. */
function toValue(name: PlainField, options: LinkOptions): unknown {
  const { cli, default: none } = definitionOf(name);
  const isReset = cli[2] && options[new Option(cli[2]).attributeName()] === false;
  return isReset ? none : options[plainOption(name).attributeName()];
}

/** Returns the fields of a request. Options that were removed with `--no-…` are null. */
export async function toFields(options: LinkOptions) {
  const { expiresIn, expiresAt, maxVisits, startsAt, goneUrl } = options;
  const password =
    options.password === '-' ? await readSecret('Password for visitors') : options.password;
  return withoutUndefined({
    customAlias: options.alias,
    domain: options.domain,
    password: orNull(password),
    expiresAt,
    ...expiresIn,
    maxVisits: orNull(maxVisits),
    rules: options.rules === false ? [] : options.rule,
    startsAt: orNull(startsAt),
    goneUrl: orNull(goneUrl),
    card: options.card === false ? null : toCard(options),
    ...mapFields((name) => toValue(name, options)),
  });
}

function parseDuration(text: string): Expiry {
  const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?)([mhd])$/.exec(text) ?? [];
  const field = UNITS[unit as keyof typeof UNITS];
  if (field) return { [field]: Number(number) };
  throw new InvalidArgumentError('Must be a number with m, h or d, such as 30m, 12h or 7d.');
}
