import { useId } from 'preact/hooks';
import { type PlainKey, t } from '../../i18n/translate.ts';
import type { LinkSort } from '../../links/link-list.ts';
import type { LinkStatus } from '../../links/link-status.ts';
import { DomainSelect } from '../DomainSelect.tsx';
import { Select } from '../Select.tsx';
import type { LinksState } from './state/links-state.ts';
import { STATUS_TEXTS } from './status-texts.ts';
import { TagFilter } from './TagFilter.tsx';

const STATUSES = Object.keys(STATUS_TEXTS) as LinkStatus[];

const SORT_TEXTS = {
  created: 'sort_created',
  visits: 'sort_visits',
  lastVisit: 'sort_last_visit',
  alias: 'sort_alias',
} as const satisfies Record<LinkSort, PlainKey>;
const SORTS = Object.keys(SORT_TEXTS) as LinkSort[];

/** Sorts the list, and shows only links with a tag, on a domain or with a status. */
export function Filters({ state }: { state: LinksState }) {
  const id = useId();
  const { domain, status, sort } = state.loading;
  return (
    <div class="filters">
      <label class="filter" for={`${id}-status`}>
        <span>{t('filter_status')}</span>
        <Select
          id={`${id}-status`}
          options={[
            { value: '', label: t('status_all') },
            ...STATUSES.map((value) => ({ value, label: t(STATUS_TEXTS[value]) })),
          ]}
          value={status.value ?? ''}
          onChoose={(chosen) => state.filter({ status: chosen || undefined })}
        />
      </label>
      <TagFilter state={state} />
      {(state.domains.value.length > 1 || domain.value !== '') && (
        <label class="filter" for={`${id}-domain`}>
          <span>{t('field_domain')}</span>
          <DomainSelect
            id={`${id}-domain`}
            domains={state.domains.value}
            value={domain.value}
            all={t('status_all')}
            onChoose={(host) => state.filter({ domain: host })}
          />
        </label>
      )}
      <label class="filter" for={`${id}-sort`}>
        <span>{t('sort_label')}</span>
        <Select
          id={`${id}-sort`}
          options={SORTS.map((value) => ({ value, label: t(SORT_TEXTS[value]) }))}
          value={sort.value}
          onChoose={(chosen) => state.filter({ sort: chosen })}
        />
      </label>
    </div>
  );
}
