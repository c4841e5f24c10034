import { InvalidArgumentError } from 'commander';
import { type Card, CONDITIONS, type Condition } from '../../../shared/links/destinations.ts';
import { type CurtCommand, parseNumber, withoutUndefined } from '../command.ts';

/** A rule as the command has it. The server checks the values. */
type SentRule = { originalUrl: string } & { [condition in Condition]?: unknown };

/** What `shorten` and `edit` say of where visits go. `edit` can remove it: then it is false. */
export type DestinationOptions = {
  rule?: SentRule[];
  rules?: boolean;
  startsAt?: string | false;
  goneUrl?: string | false;
  card?: boolean;
  cardTitle?: string;
  cardDescription?: string;
  cardImage?: string;
};

export function withDestinations(command: CurtCommand): CurtCommand {
  return command
    .option(
      '--rule <rule>',
      'where visits go instead, such as "device=phone, language=de → https://example.com/app"; the first rule that matches decides; repeat it for more',
      addRule,
    )
    .option('--starts-at <time>', 'when it begins to work, such as 2030-01-31T12:00:00Z')
    .option('--gone-url <url>', 'where visitors go once it is expired, used up or switched off')
    .option('--card-title <text>', 'title that chats show')
    .option('--card-description <text>', 'description that chats show')
    .option('--card-image <url>', 'picture that chats show');
}

/** The options of `edit` that remove them. */
export function withoutDestinations(command: CurtCommand): CurtCommand {
  return command
    .option('--no-rules', 'remove all rules')
    .option('--no-starts-at', 'let it work at once')
    .option('--no-gone-url', 'show that it is expired, used up or switched off')
    .option('--no-card', 'let chats show what they find');
}

/** The parts of a card that are given, if any. */
export function toCard(options: DestinationOptions): Card | undefined {
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
      `"${text.trim()}" is no condition. Use one of ${CONDITIONS.join(', ')}, with = and a value.`,
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
