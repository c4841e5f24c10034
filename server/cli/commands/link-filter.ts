import { Option } from 'commander';
import { definitionOf, eachExactField, SEARCHED_TEXT } from '../../../shared/links/fields.ts';
import type { LinkFilter } from '../../../shared/links/link-list.ts';
import { LINK_STATUSES } from '../../../shared/links/link-status.ts';
import type { CurtCommand } from '../command.ts';

/** What the options of a command say, by their names. */
export type FilterOptions = Record<string, unknown>;

const OPTIONS: { [K in keyof LinkFilter]-?: Option } = {
  q: new Option('--search <text>', `words, each part of ${SEARCHED_TEXT}`),
  tag: new Option('--tag <tag>', 'only links with this tag'),
  domain: new Option('--domain <host>', 'only links on this domain'),
  ...eachExactField((name) => {
    const flags = name === 'originalUrl' ? '--url <url>' : definitionOf(name).cli[0];
    return new Option(flags, `only links with exactly this ${name}`);
  }),
  status: new Option('--status <status>', 'only links with this status').choices(LINK_STATUSES),
};
export const FILTERS = Object.entries(OPTIONS) as [name: keyof LinkFilter, option: Option][];

/** Options that choose links by what they have. */
export function withFilterOptions(command: CurtCommand, except?: keyof LinkFilter): CurtCommand {
  for (const [name, option] of FILTERS) if (name !== except) command.addOption(option);
  return command;
}

/** What is given of a filter. An option that is empty is, too. */
export function toFilter(options: FilterOptions): LinkFilter {
  const given = FILTERS.map(([name, option]) => [name, options[option.attributeName()]] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}
