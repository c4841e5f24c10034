import type { AccountStatistics } from '../../../shared/statistics.ts';
import { type RecordDependencies, toAliasFields } from '../to-link-record.ts';
import { type FindDependencies, isOutdated } from './own-link.ts';

/** Looks up the most visited links of an account. Leaves out those that it has no more. */
export async function findTopLinks(
  top: readonly { key: string; people: number }[],
  accountId: string,
  { store, clock, domains }: FindDependencies & Pick<RecordDependencies, 'domains'>,
): Promise<AccountStatistics['topLinks']> {
  const links = await Promise.all(top.map(({ key }) => store.administration.findLinkById(key)));
  return top.flatMap(({ people }, index) => {
    const link = links[index];
    if (link?.accountId !== accountId || isOutdated(link, clock())) return [];
    const { alias, shortUrl } = toAliasFields(link, domains);
    return [{ alias, shortUrl, title: link.title, people }];
  });
}
