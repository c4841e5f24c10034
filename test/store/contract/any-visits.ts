import fc from 'fast-check';
import type { Tally, VisitsOfHour } from '../../../server/store/visits.ts';
import { talliesOf, tally } from '../contract.ts';

/** Visits of a link, by its index. */
type AnyVisits = Omit<VisitsOfHour, 'linkId' | 'hour'> & { link: number; hoursAgo: number };

export type Step =
  | { kind: 'visits'; hoursLater: number; visits: AnyVisits[] }
  | { kind: 'reopen' }
  | { kind: 'maintain' };

const count = fc.nat(20);
/** More than 24 values, which are visited equally often or not. */
const anyTally: fc.Arbitrary<Tally> = fc
  .array(fc.tuple(fc.nat(60), fc.integer({ min: 1, max: 300 })), { maxLength: 40 })
  .map((pairs) => new Map(pairs.map(([key, people]) => [`${key}.example`, people])));
const anyVisits: fc.Arbitrary<AnyVisits> = fc.record({
  link: fc.nat(2),
  // Up to a day late: those of yesterday are written after a failure.
  hoursAgo: fc.oneof(fc.constant(0), fc.nat(12)),
  people: count,
  uniquePeople: count,
  previews: count,
  bots: fc.oneof(count, fc.constant(1_000_000_000)),
  tallies: fc
    .record(
      {
        referrers: anyTally,
        targets: anyTally,
        browsers: fc.constantFrom(tally({ Firefox: 2 }), tally({ other: 1, Chrome: 7 })),
        countries: fc.constantFrom(tally({ DE: 1 }), tally({ unknown: 4, AQ: 1 })),
      },
      { requiredKeys: [] },
    )
    .map(talliesOf),
});

export const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('visits' as const),
      hoursLater: fc.oneof(fc.nat(3), fc.nat(100), fc.nat(3000)),
      visits: fc.array(anyVisits, { maxLength: 5 }),
    }),
  },
  { weight: 1, arbitrary: fc.constantFrom<Step[]>({ kind: 'reopen' }, { kind: 'maintain' }) },
);
