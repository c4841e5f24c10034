import type { RecordJson } from '../../records.ts';
import type { VisitsJson } from '../data/stored-statistics.ts';

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
export type UnsavedLine = Pick<ChangeLine, 'records' | 'visits' | 'erasedAt'>;

/** Turns the content of a line of one format into that of the next one. */
export type LineUpgrade = (line: ChangeLine) => ChangeLine;

/**
 * From format 1 on, one for each later format. Fields that an older server keeps as they are need no new
 * format: it is for what that server would lose or misread.
 *
 * @see docs/storage.md, "Formats"
 */
export const UPGRADES: readonly LineUpgrade[] = [];

/** The format that is written. Files of a newer one are rejected, never overwritten. */
export function formatOf(upgrades: readonly LineUpgrade[]): number {
  return upgrades.length + 1;
}

/** @param version of the file that has the line */
export function upgradeLine(
  line: ChangeLine,
  version: number,
  upgrades: readonly LineUpgrade[],
): ChangeLine {
  return upgrades.slice(version - 1).reduce((upgraded, upgrade) => upgrade(upgraded), line);
}
