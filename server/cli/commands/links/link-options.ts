import { type Command, InvalidArgumentError } from 'commander';
import type { ShortenRequest } from '../../../../shared/links/shorten-request.ts';
import { readSecret } from '../../terminal/read-secret.ts';

/** The options that `shorten` and `edit` have in common. `edit` can remove some: then they are false. */
export type LinkOptions = {
  alias?: string;
  password?: string | false;
  expiresAt?: string;
  expiresIn?: Expiry;
  wait?: number;
  gtm?: string | false;
  title?: string;
  description?: string | false;
  tag?: string[];
  maxVisits?: number | false;
  forwardQuery?: boolean;
};

type Expiry = Pick<ShortenRequest, 'expiresInMinutes' | 'expiresInHours' | 'expiresInDays'>;

const UNITS = {
  m: 'expiresInMinutes',
  h: 'expiresInHours',
  d: 'expiresInDays',
} as const;

export function withLinkOptions(command: Command): Command {
  return command
    .option('--alias <alias>', 'alias of the link')
    .option(
      '--password <password>',
      'password for visitors; "-" asks for it, or reads it from stdin',
    )
    .option('--expires-at <time>', 'when it expires, such as 2030-01-31T12:00:00Z')
    .option('--expires-in <duration>', 'when it expires, such as 30m, 12h or 7d', parseDuration)
    .option('--wait <seconds>', 'seconds that visitors wait on the preview page', parseNumber)
    .option('--gtm <id>', 'Tag Manager container on the preview page')
    .option('--title <text>', 'title of the link')
    .option('--description <text>', 'description of the link')
    .option('--tag <tag>', 'a tag; repeat it for more', (tag, tags: string[] = []) => [
      ...tags,
      tag,
    ])
    .option('--max-visits <number>', 'visitors after which it stops working', parseNumber)
    .option('--forward-query', 'add the query of a visit to the target');
}

/** The fields of a request. Options that were removed with `--no-…` are null. */
export async function toFields(options: LinkOptions) {
  const { expiresIn, expiresAt, description, maxVisits, forwardQuery } = options;
  const password =
    options.password === '-' ? await readSecret('Password for visitors') : options.password;
  return withoutUndefined({
    customAlias: options.alias,
    password: orNull(password),
    expiresAt,
    ...expiresIn,
    waitTimer: options.wait,
    customGtmId: orNull(options.gtm),
    title: options.title,
    description: orNull(description),
    tags: options.tag,
    maxVisits: orNull(maxVisits),
    forwardQuery,
  });
}

export function parseNumber(text: string): number {
  const number = Number(text);
  if (text.trim() !== '' && Number.isFinite(number)) return number;
  throw new InvalidArgumentError('Must be a number.');
}

function parseDuration(text: string): Expiry {
  const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?)([mhd])$/.exec(text) ?? [];
  const field = UNITS[unit as keyof typeof UNITS];
  if (field) return { [field]: Number(number) };
  throw new InvalidArgumentError('Must be a number with m, h or d, such as 30m, 12h or 7d.');
}

function orNull<T>(value: T | false | undefined): T | null | undefined {
  return value === false ? null : value;
}

type Defined<T> = { [key in keyof T]?: Exclude<T[key], undefined> };

export function withoutUndefined<T extends object>(fields: T): Defined<T> {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Defined<T>;
}
