import type { PlainKey } from '../../../i18n/translate.ts';
import type { StatisticsReport } from '../../../statistics.ts';
import { TopTable } from './TopTable.tsx';
import { countryName, deviceName, referrerName, valueName } from './value-names.ts';

type Kind = 'referrers' | 'browsers' | 'systems' | 'devices' | 'countries';

const KINDS: [kind: Kind, title: PlainKey, nameOf: (key: string) => string][] = [
  ['referrers', 'top_referrers', referrerName],
  ['countries', 'top_countries', countryName],
  ['browsers', 'top_browsers', valueName],
  ['systems', 'top_systems', valueName],
  ['devices', 'top_devices', deviceName],
];

/** Where people come from, and what they use. */
export function TopTables({ report }: { report: StatisticsReport }) {
  return (
    <div class="tops">
      {KINDS.map(
        ([kind, title, nameOf]) =>
          report[kind].length > 0 && (
            <TopTable key={kind} title={title} rows={report[kind]} nameOf={nameOf} />
          ),
      )}
    </div>
  );
}
