import type { Client } from 'pg';
import type { CopyRecord } from '../../copy/copy-record.ts';
import { toHistoryJson } from '../../json-file/statistics/history-json.ts';
import { fromRows, type TalliesRow, type VisitsRow } from '../statistics/history-rows.ts';
import { readPages } from './read-pages.ts';

/** A link's statistics are copied with its account. Without one, the link was erased. */
type SubjectRow = { subject: string; account_id: string | null };

/** A busy link has thousands of rows. */
const SUBJECTS_AT_ONCE = 100;

const SUBJECTS = `
  SELECT subject, CASE left(subject, 1)
    WHEN 'l' THEN (SELECT account_id FROM aliases WHERE id = substr(subject, 2))
    ELSE substr(subject, 2)
  END AS account_id
  FROM (SELECT DISTINCT subject FROM visits) AS visited
  WHERE subject > $1 AND NOT EXISTS (
    SELECT FROM account_links WHERE is_deleted AND account_id = CASE left(subject, 1)
      WHEN 'l' THEN (SELECT account_id FROM aliases WHERE id = substr(subject, 2))
      ELSE substr(subject, 2)
    END
  ) ORDER BY subject`;

export async function* readStatistics(client: Client): AsyncGenerator<CopyRecord[]> {
  const page = { text: SUBJECTS, before: '' };
  for await (const rows of readPages(client, page, ({ subject }: SubjectRow) => subject)) {
    for (let start = 0; start < rows.length; start += SUBJECTS_AT_ONCE) {
      yield await readHistories(client, rows.slice(start, start + SUBJECTS_AT_ONCE));
    }
  }
}

async function readHistories(client: Client, rows: SubjectRow[]): Promise<CopyRecord[]> {
  const subjects = [rows.map(({ subject }) => subject)];
  const inSubjects = 'WHERE subject = ANY ($1)';
  const visits = await client.query<VisitsRow>(`SELECT * FROM visits ${inSubjects}`, subjects);
  const tallies = await client.query<TalliesRow>(
    `SELECT * FROM visit_tallies ${inSubjects}`,
    subjects,
  );
  const histories = fromRows({ visits: visits.rows, tallies: tallies.rows });
  return rows.flatMap(({ subject, account_id: account }): CopyRecord[] => {
    const history = histories.get(subject);
    if (!history || account === null) return [];
    const owner = subject.startsWith('l') ? { link: subject.slice(1), account } : { account };
    return [{ kind: 'statistics', statistics: toHistoryJson(owner, history.rollUp()) }];
  });
}
