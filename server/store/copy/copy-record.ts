import type { AuditEntry } from '../administration.ts';
import type { Block } from '../blocks.ts';
import type { Idempotency } from '../link.ts';
import type { AccountJson, TokenJson } from '../records/account-json.ts';
import type { LinkJson } from '../records/link-json.ts';
import type { QuotaUseJson } from '../records/quota-use.ts';
import type { HistoryJson } from '../statistics/history-json.ts';

/** Everything that a store has, piece by piece, in the formats of a data folder. */
export type CopyRecord =
  /** 32 bytes, base64url. */
  | { kind: 'secret'; secret: string }
  | { kind: 'account'; account: AccountJson }
  /** A further token. The first one is part of its account. */
  | { kind: 'token'; token: TokenJson }
  /** With its hits. `first` is the link as it was created, if a retry with the key may ask for it. */
  | { kind: 'link'; link: LinkJson; idempotency?: Idempotency; first?: LinkJson }
  /** An alias in lower case that no link has any more. Without an account, nobody can use it. */
  | { kind: 'alias'; alias: string; accountId?: string }
  | ({ kind: 'quotaUse' } & QuotaUseJson)
  /** An idempotency key whose link was erased. */
  | { kind: 'spentKey'; keyHash: string; created: number }
  | { kind: 'statistics'; statistics: HistoryJson }
  | { kind: 'block'; block: Block }
  | { kind: 'audit'; entry: AuditEntry };

export type CopyRecordKind = CopyRecord['kind'];

export type CopyRecordOf<Kind extends CopyRecordKind> = Extract<CopyRecord, { kind: Kind }>;

/**
 * Reads everything that a store has. Nothing else changes the store meanwhile, and each time the records
 * are the same, in the same order: the secret, accounts and links in the order in which they were added,
 * tokens after their accounts, statistics, blocks and reserved aliases after the links, the audit log last.
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
  /** What an earlier, interrupted copy has written. */
  readonly done: CopyProgress;
  /** Stores the records together with the progress, all or none. */
  write(records: CopyRecord[], progress: CopyProgress): Promise<void>;
  /** Reads the copy again, after the last `write`. */
  read(): Promise<CopySource>;
  finish(): Promise<void>;
  /** Before `finish`, what was written stays if the copy can be resumed. */
  close(): Promise<void>;
}

export type CopyProgress = {
  /** When the first attempt began, milliseconds since the epoch. Keys that had expired then are left out. */
  started: number;
  records: number;
  /** `CopyDigest.text` of these records. */
  digest: string;
};
