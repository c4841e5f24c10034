import { fromRecordJson, type HistoryRecord } from '../../records.ts';
import type { Data } from '../data/data.ts';
import { fromVisitsJson } from '../data/visits-json.ts';
import type { ChangeLine } from '../files/change-line.ts';
import { DataError, type OnDataError, REPAIR, showCommand } from '../files/data-error.ts';
import type { Line } from '../files/line-file.ts';

/** What receives the records that are read. */
export type Receiver = Pick<Data, 'apply' | 'addVisits'>;

/** Passes on the content of an intact line. */
export function loadLine(
  { number: line, start: byte, value = {} }: Line<ChangeLine>,
  path: string,
  to: Receiver,
  onError: OnDataError,
): void {
  try {
    apply(value, to);
  } catch (error) {
    const problem = `${path}, line ${line}: ${(error as Error).message}. To see it, run: ${showCommand(path, line)}`;
    onError(new DataError({ kind: 'wrong_content', path, line, byte, problem, repair: REPAIR }));
  }
}

function apply({ records, visits, end }: ChangeLine, to: Receiver): void {
  if (!records && !visits && end === undefined) {
    throw new Error(
      'a development version of Curt has written it, in a format that no release reads. Export the links with that version (curt export), and import them into a new folder',
    );
  }
  for (const json of records ?? []) {
    to.apply(json[0] === 'history' ? (json as HistoryRecord) : fromRecordJson(json));
  }
  if (visits) to.addVisits(fromVisitsJson(visits));
}
