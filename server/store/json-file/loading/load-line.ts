import { fromRecordJson, type HistoryRecord, type StoreRecord } from '../../records.ts';
import type { LinkVisits } from '../../statistics/link-visits.ts';
import { fromVisitsJson } from '../data/stored-statistics.ts';
import { DataError, type OnDataError, OTHER_VERSION, showCommand } from '../files/data-error.ts';
import { type ChangeLine, type LineUpgrade, upgradeLine } from '../files/formats.ts';
import type { Line } from '../files/line-file.ts';

/** What receives the records that are read. */
export type Receiver = {
  apply(record: StoreRecord | HistoryRecord): void;
  addVisits(visits: Iterable<LinkVisits>): void;
};

/** Where lines are read from, and what they are read with. */
export type LoadedFile = {
  path: string;
  /** The format of the file. */
  version: number;
  upgrades: readonly LineUpgrade[];
};

/** Passes on the content of an intact line. */
export function loadLine(
  { number: line, start: byte, value = {} }: Line<ChangeLine>,
  { path, version, upgrades }: LoadedFile,
  to: Receiver,
  onError: OnDataError,
): void {
  try {
    apply(upgradeLine(value, version, upgrades), to);
  } catch (error) {
    // Its checksum is right: it is what was written.
    const problem = `${path}, line ${line}, was written by another version of Curt, in a format that this one does not read (${(error as Error).message}). To see it, run: ${showCommand(path, line)}`;
    const repair = OTHER_VERSION;
    onError(new DataError({ kind: 'wrong_content', path, line, byte, problem, repair }));
  }
}

function apply({ records, visits, end }: ChangeLine, to: Receiver): void {
  if (!records && !visits && end === undefined) {
    throw new Error('it has no records');
  }
  for (const json of records ?? []) {
    to.apply(json[0] === 'history' ? (json as HistoryRecord) : fromRecordJson(json));
  }
  if (visits) to.addVisits(fromVisitsJson(visits));
}
