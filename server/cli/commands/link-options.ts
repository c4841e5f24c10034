import { InvalidArgumentError, Option } from 'commander';
import {
  definitionOf,
  mapFields,
  PLAIN_NAMES,
  type PlainField,
} from '../../../shared/links/fields.ts';
import type { ShortenRequest } from '../../../shared/links/shorten-request.ts';
import { type CurtCommand, orNull, parseNumber, withoutUndefined } from '../command.ts';
import { readSecret } from '../terminal/read-secret.ts';
import {
  type DestinationOptions,
  toCard,
  withDestinations,
  withoutDestinations,
} from './destination-options.ts';

/** The options that `shorten` and `edit` have in common. `edit` can remove some: then they are false. */
export type LinkOptions = DestinationOptions & {
  alias?: string;
  domain?: string;
  password?: string | false;
  expiresAt?: string;
  expiresIn?: Expiry;
  maxVisits?: number | false;
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
  for (const name of PLAIN_NAMES) command.addOption(toOption(name));
  return withDestinations(command);
}

/** The options of `edit` that reset a plain field, or remove where visits go. */
export function withResets(command: CurtCommand): CurtCommand {
  for (const name of PLAIN_NAMES) {
    const [, , flags, help] = definitionOf(name).cli;
    if (flags) command.option(flags, help);
  }
  return withoutDestinations(command);
}

function toOption(name: PlainField): Option {
  const { cli, control } = definitionOf(name);
  const option = new Option(cli[0], cli[1]);
  if (control === 'number') option.argParser(parseNumber);
  if (control === 'tags') option.argParser((tag, tags: string[] = []) => [...tags, tag]);
  return option;
}

/** What the options say of a plain field; undefined if nothing. */
function toValue(name: PlainField, options: LinkOptions): unknown {
  const { cli, default: none } = definitionOf(name);
  const isReset = cli[2] && options[new Option(cli[2]).attributeName()] === false;
  return isReset ? none : options[toOption(name).attributeName()];
}

/** The fields of a request. Options that were removed with `--no-…` are null. */
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
