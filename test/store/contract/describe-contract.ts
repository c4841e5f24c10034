import type { OpenSubject } from '../contract.ts';
import { describeAccounts } from './accounts.ts';
import { describeAdministration } from './administration.ts';
import { describeAliases } from './aliases.ts';
import { describeAuthorization } from './authorization.ts';
import { describeDeletedAccounts } from './deleted-accounts.ts';
import { describeDeletedLinks } from './deleted-links.ts';
import { describeDomains } from './domains.ts';
import { describeEdits } from './edits.ts';
import { describeEveryField } from './every-field.ts';
import { describeHits } from './hits.ts';
import { describeIdempotency } from './idempotency.ts';
import { describeIdentities } from './identities.ts';
import { describeLinks } from './links.ts';
import { describeListing } from './listing.ts';
import { describeMetrics } from './metrics.ts';
import { describeQuotas } from './quotas.ts';
import { describeReports } from './reports.ts';
import { describeStatistics } from './statistics.ts';
import { describeTags } from './tags.ts';
import { describeTokens } from './tokens.ts';
import { describeTakenVisits } from './visits.ts';
import { describeWrongClock } from './wrong-clock.ts';

/** Tests that every driver must pass. */
export function describeStoreContract(name: string, open: OpenSubject): void {
  describeLinks(name, open);
  describeEdits(name, open);
  describeEveryField(name, open);
  describeAliases(name, open);
  describeQuotas(name, open);
  describeDeletedLinks(name, open);
  describeAccounts(name, open);
  describeTokens(name, open);
  describeAuthorization(name, open);
  describeIdentities(name, open);
  describeDeletedAccounts(name, open);
  describeIdempotency(name, open);
  describeHits(name, open);
  describeTakenVisits(name, open);
  describeStatistics(name, open);
  describeListing(name, open);
  describeTags(name, open);
  describeAdministration(name, open);
  describeDomains(name, open);
  describeReports(name, open);
  describeMetrics(name, open);
  describeWrongClock(name, open);
}
