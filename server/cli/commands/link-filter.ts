import { SEARCHED_TEXT } from '../../../shared/links/fields.ts';
import { LINK_STATUSES, type LinkStatus } from '../../../shared/links/link-status.ts';
import type { CurtCommand } from '../command.ts';

export type FilterOptions = {
  search?: string;
  tag?: string;
  domain?: string;
  status?: LinkStatus;
};

/** Options that choose links by what they have. */
export function withFilterOptions(command: CurtCommand): CurtCommand {
  return command
    .option('--search <text>', `words, each part of ${SEARCHED_TEXT}`)
    .option('--tag <tag>', 'only links with this tag')
    .option('--domain <host>', 'only links on this domain');
}

export function withStatusOption(command: CurtCommand): CurtCommand {
  return command.choiceOption('--status <status>', 'only links with this status', LINK_STATUSES);
}
