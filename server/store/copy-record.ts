import type { AuditEntry } from './administration.ts';
import type { HistoryRecord, StoreRecord } from './records.ts';

/** Everything that a store has, piece by piece. */
export type CopyRecord =
  | StoreRecord
  | HistoryRecord
  /** 32 bytes, base64url. */
  | [kind: 'secret', key: '', secret: string]
  /** Entries of the audit log, by their number from 0. */
  | [kind: 'audit', key: string, entry: AuditEntry];

export type CopyRecordKind = CopyRecord[0];

export type CopyRecordOf<Kind extends CopyRecordKind> = Extract<CopyRecord, [Kind, ...unknown[]]>;

/**
 * Reads everything that a store has. Nothing else changes the store meanwhile. The order is: secret,
 * accounts, tokens, links, aliases without a link, idempotency keys, quotas, blocks, domains,
 * reports, histories, and the audit log. Accounts and links come in the order in which they were added.
 * Nothing is deleted (null).
 */
export interface CopySource {
  /** About how many records there are, for the progress. */
  readonly count: number;
  /** Batches of records. */
  records(): AsyncIterable<CopyRecord[]>;
  close(): Promise<void>;
}

/** Receives what a source has. No server can use the store before `finish`. */
export interface CopyTarget {
  write(records: CopyRecord[]): Promise<void>;
  /** Reads the copy again, after the last `write`. */
  read(): Promise<CopySource>;
  finish(): Promise<void>;
  /** Before `finish`, removes what was written. */
  close(): Promise<void>;
}
