import {
  fromRecordJson,
  type HistoryRecord,
  type RecordJson,
  type StoreRecord,
  toRecordJson,
} from '../../records.ts';
import type { LinkVisits } from '../../statistics/link-visits.ts';
import { fromVisitsJson, type VisitsJson } from '../data/stored-statistics.ts';
import { DataError, type OnDataError, OTHER_VERSION, showCommand } from './data-error.ts';
import type { Line } from './line-file.ts';

/** The content of a line of a journal or snapshot, without its checksum: one change, all or nothing. */
export type ChangeLine = {
  /** Journal only: the offset in the file at which the line's batch begins. */
  batch?: number;
  records?: RecordJson[];
  /** Journal only: visits to add to the statistics. */
  visits?: VisitsJson;
  /** Journal only: when something was erased that must leave the disk, if so. */
  erasedAt?: number;
  /** Last line of a snapshot: the number of lines before it. */
  end?: number;
};

/** A line that is not on disk yet. */
export type UnsavedLine = {
  /** Its members, as JSON. */
  members: string;
  erasedAt?: number | undefined;
};

/** @param now milliseconds since the epoch */
export function toUnsavedLine(records: readonly StoreRecord[], now: number): UnsavedLine {
  const members = toMembers(records);
  return records.some(erases)
    ? { members: `"erasedAt":${now},${members}`, erasedAt: now }
    : { members };
}

/** Returns the members of a line with these records. */
export function toMembers(records: readonly (StoreRecord | HistoryRecord)[]): string {
  const json = records.map((record) => (record[0] === 'history' ? record : toRecordJson(record)));
  return `"records":${JSON.stringify(json)}`;
}

function erases([kind, , value]: StoreRecord): boolean {
  return value === null && (kind === 'link' || kind === 'account');
}

/** What receives the records that are read. */
export type Receiver = {
  apply(record: StoreRecord | HistoryRecord): void;
  addVisits(visits: Iterable<LinkVisits>): void;
};

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
