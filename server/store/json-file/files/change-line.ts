import {
  type HistoryRecord,
  type RecordJson,
  type StoreRecord,
  toRecordJson,
} from '../../records.ts';
import type { VisitsJson } from '../data/visits-json.ts';

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

/** The members of a line with these records. */
export function toMembers(records: readonly (StoreRecord | HistoryRecord)[]): string {
  const json = records.map((record) => (record[0] === 'history' ? record : toRecordJson(record)));
  return `"records":${JSON.stringify(json)}`;
}

function erases([kind, , value]: StoreRecord): boolean {
  return value === null && (kind === 'link' || kind === 'account');
}
