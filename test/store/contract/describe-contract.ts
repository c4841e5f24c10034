import type { OpenSubject } from '../contract.ts';
import { describeAccounts } from './accounts.ts';
import { describeEdits } from './edits.ts';
import { describeHits } from './hits.ts';
import { describeIdempotency } from './idempotency.ts';
import { describeLinks } from './links.ts';
import { describeListing } from './listing.ts';

/** Tests that every driver must pass. */
export function describeStoreContract(name: string, open: OpenSubject): void {
  describeLinks(name, open);
  describeEdits(name, open);
  describeAccounts(name, open);
  describeIdempotency(name, open);
  describeHits(name, open);
  describeListing(name, open);
}
