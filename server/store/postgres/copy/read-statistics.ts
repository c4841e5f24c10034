import type { Client } from 'pg';
import type { CopyRecord } from '../../copy/copy-record.ts';
import { type HistoryOwner, toHistoryJson } from '../../statistics/history-json.ts';
import { fromRows, type TalliesRow, type VisitsRow } from '../statistics/history-rows.ts';
import { readPages } from './read-pages.ts';

type SubjectRow = { subject: string };

/** A busy link has thousands of rows. */
const SUBJECTS_AT_ONCE = 100;

const SUBJECTS = `
  SELECT subject FROM (SELECT DISTINCT subject FROM visits WHERE subject > $1) AS visited
  ORDER BY subject`;

export async function* readStatistics(
  client: Client,
  deletedAccounts: Set<string>,
): AsyncGenerator<CopyRecord[]> {
  const page = { text: SUBJECTS, before: '' };
  for await (const rows of readPages(client, page, ({ subject }: SubjectRow) => subject)) {
    const owners = await ownersOf(client, rows, deletedAccounts);
    for (let start = 0; start < owners.length; start += SUBJECTS_AT_ONCE) {
      yield await readHistories(client, owners.slice(start, start + SUBJECTS_AT_ONCE));
    }
  }
}

type Owner = { subject: string; owner: HistoryOwner };

/** Links and accounts that exist. */
async function ownersOf(
  client: Client,
  rows: SubjectRow[],
  deletedAccounts: Set<string>,
): Promise<Owner[]> {
  const ids = rows.flatMap(({ subject }) => (subject[0] === 'l' ? [subject.slice(1)] : []));
  const { rows: links } = await client.query<{ id: string; account_id: string }>(
    'SELECT id, account_id FROM aliases WHERE id = ANY ($1)',
    [ids],
  );
  const accountOf = new Map(links.map(({ id, account_id }) => [id, account_id]));
  return rows.flatMap(({ subject }): Owner[] => {
    const id = subject.slice(1);
    const [link, account] = subject[0] === 'l' ? [id, accountOf.get(id)] : [undefined, id];
    if (account === undefined || deletedAccounts.has(account)) return [];
    return [{ subject, owner: { ...(link !== undefined && { link }), account } }];
  });
}

async function readHistories(client: Client, owners: Owner[]): Promise<CopyRecord[]> {
  const subjects = [owners.map(({ subject }) => subject)];
  const inSubjects = 'WHERE subject = ANY ($1)';
  const visits = await client.query<VisitsRow>(`SELECT * FROM visits ${inSubjects}`, subjects);
  const tallies = await client.query<TalliesRow>(
    `SELECT * FROM visit_tallies ${inSubjects}`,
    subjects,
  );
  const histories = fromRows({ visits: visits.rows, tallies: tallies.rows });
  return owners.flatMap(({ subject, owner }): CopyRecord[] => {
    const history = histories.get(subject);
    return history
      ? [{ kind: 'statistics', statistics: toHistoryJson(owner, history.rollUp()) }]
      : [];
  });
}
