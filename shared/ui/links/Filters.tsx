import { useId } from 'preact/hooks';
import { type PlainKey, t } from '../../i18n/translate.ts';
import type { LinkSort } from '../../links/link-list.ts';
import type { LinkStatus } from '../../links/link-status.ts';
import { DomainSelect } from '../DomainSelect.tsx';
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
      <label class="filter">
        <span>{t('filter_status')}</span>
        <select
          class="input"
          value={status.value ?? ''}
          onChange={(event) => {
            const value = event.currentTarget.value;
            state.filter({ status: STATUSES.find((one) => one === value) });
          }}
        >
          <option value="">{t('status_all')}</option>
          {STATUSES.map((name) => (
            <option value={name} key={name}>
              {t(STATUS_TEXTS[name])}
            </option>
          ))}
        </select>
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
      <label class="filter">
        <span>{t('sort_label')}</span>
        <select
          class="input"
          value={sort.value}
          onChange={({ currentTarget: { value } }) =>
            state.filter({ sort: SORTS.find((one) => one === value) })
          }
        >
          {SORTS.map((name) => (
            <option value={name} key={name}>
              {t(SORT_TEXTS[name])}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}
