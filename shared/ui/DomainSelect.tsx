import { useMemo } from 'preact/hooks';
import type { Domain } from '../accounts/usable-domains.ts';
import type { FieldControl } from './Select.tsx';

/** A domain that can be chosen. */
export type DomainChoice = Pick<Domain, 'host' | 'displayHost'>;

type DomainSelectProps = Partial<FieldControl> & {
  'aria-label'?: string;
  domains: readonly DomainChoice[];
  /** A host. Also one that cannot be chosen any more is shown. */
  value: string;
  /** A choice without a host, before the others. @default none */
  all?: string;
  onChoose(host: string): void;
};

/** Renders a choice of domains, in the order of their hosts: the API has the default first. */
export function DomainSelect({ domains, value, all, onChoose, ...select }: DomainSelectProps) {
  // There can be 10,000 of them.
  const options = useMemo(() => {
    const isKnown = value === '' || domains.some(({ host }) => host === value);
    const shown = isKnown ? domains : [...domains, { host: value, displayHost: value }];
    return shown
      .toSorted((one, other) => (one.host < other.host ? -1 : 1))
      .map(({ host, displayHost }) => (
        <option key={host} value={host}>
          {displayHost}
        </option>
      ));
  }, [domains, value]);
  return (
    <select
      class="input"
      dir="ltr"
      name="domain"
      {...select}
      value={value}
      onChange={(event) => onChoose(event.currentTarget.value)}
    >
      {all !== undefined && <option value="">{all}</option>}
      {options}
    </select>
  );
}
