import type { ComponentType } from 'preact';
import { useId } from 'preact/hooks';
import { t } from '../../i18n/translate.ts';
import type { LinkStatus } from '../../links/link-status.ts';
import { type FilterName, SORTS } from '../../links/list-query.ts';
import type { FilterField } from '../../links/plain-fields.ts';
import { DomainSelect } from '../DomainSelect.tsx';
import { Select } from '../Select.tsx';
import { FieldFilters } from './FieldFilters.tsx';
import { SORT_TEXTS, STATUS_TEXTS } from './link-texts.ts';
import type { LinksState } from './state/links-state.ts';
import { TagFilter } from './TagFilter.tsx';

const STATUSES = Object.keys(STATUS_TEXTS) as LinkStatus[];

/** Those that links have, if all are known. A list never has deleted ones. */
function statusChoices({ statuses, loading }: LinksState): LinkStatus[] {
  const known = statuses.value;
  const isShown = (status: LinkStatus) =>
    !known || known.has(status) || status === 'deleted' || status === loading.status.value;
  return STATUSES.filter(isShown);
}

type FilterProps = { state: LinksState };

/** Sorts the list, and shows only links that pass its filters. Loaded after the first rows. */
export function Filters({ state }: FilterProps) {
  const id = useId();
  return (
    <>
      {Object.values(CONTROLS).map((Control) => (
        <Control key={Control} state={state} />
      ))}
      <FieldFilters state={state} />
      <label class="filter" for={id}>
        <span>{t('sort_label')}</span>
        <Select
          id={id}
          options={SORTS.map((value) => ({ value, label: t(SORT_TEXTS[value]) }))}
          value={state.loading.sort.value}
          onChoose={(sort) => state.filter({ sort })}
        />
      </label>
    </>
  );
}

/** In the order of the page. Those of plain fields follow. A filter without a control does not compile. */
const CONTROLS: { [K in Exclude<FilterName, FilterField>]: ComponentType<FilterProps> } = {
  status: StatusFilter,
  tag: TagFilter,
  domain: DomainFilter,
};

function StatusFilter({ state }: FilterProps) {
  const id = useId();
  return (
    <label class="filter" for={id}>
      <span>{t('filter_status')}</span>
      <Select
        id={id}
        options={[
          { value: '', label: t('status_all') },
          ...statusChoices(state).map((value) => ({ value, label: t(STATUS_TEXTS[value]) })),
        ]}
        value={state.loading.status.value ?? ''}
        onChoose={(chosen) => state.filter({ status: chosen || undefined })}
      />
    </label>
  );
}

function DomainFilter({ state }: FilterProps) {
  const id = useId();
  const { domain } = state.loading;
  if (state.domains.value.length < 2 && domain.value === '') return null;
  return (
    <label class="filter" for={id}>
      <span>{t('field_domain')}</span>
      <DomainSelect
        id={id}
        domains={state.domains.value}
        value={domain.value}
        all={t('status_all')}
        onChoose={(host) => state.filter({ domain: host })}
      />
    </label>
  );
}
