import type { CopyRecordOf } from '../../copy/copy-record.ts';
import { fromHistoryJson } from '../../statistics/history-json.ts';
import type { Query } from '../database/statement.ts';
import { toRows } from '../statistics/history-rows.ts';
import { subjectOfAccount, subjectOfLink } from '../statistics/visit-statistics.ts';
import { addRows } from '../statistics/write-rows.ts';

/** @param nowHour number of the current hour */
export async function writeStatistics(
  query: Query,
  records: CopyRecordOf<'statistics'>[],
  nowHour: number,
): Promise<void> {
  const rows = records.map(({ statistics }) => {
    const { link, account } = statistics;
    const subject = link === undefined ? subjectOfAccount(account) : subjectOfLink(link);
    return toRows(subject, fromHistoryJson(statistics), nowHour);
  });
  await addRows(query, {
    visits: rows.flatMap(({ visits }) => visits),
    tallies: rows.flatMap(({ tallies }) => tallies),
  });
}
