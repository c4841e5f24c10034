import { useId } from 'preact/hooks';
import { type PlainKey, t } from '../../i18n/translate.ts';
import { TAG_MAX_CHARACTERS } from '../../limits.ts';
import type { LinkSort } from '../../links/link-list.ts';
import type { LinkStatus } from '../../links/link-record.ts';
import type { LinksState } from './state/links-state.ts';
import { STATUS_TEXTS } from './status-texts.ts';

const STATUSES = Object.keys(STATUS_TEXTS) as LinkStatus[];

const SORT_TEXTS = {
  created: 'sort_created',
  visits: 'sort_visits',
  lastVisit: 'sort_last_visit',
  alias: 'sort_alias',
} as const satisfies Record<LinkSort, PlainKey>;
const SORTS = Object.keys(SORT_TEXTS) as LinkSort[];

/** Sorts the list, and shows only links with a tag or a status. */
export function Filters({ state }: { state: LinksState }) {
  const id = useId();
  const { tag, status, sort } = state.loading;
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
      <label class="filter">
        <span>{t('filter_tag')}</span>
        <input
          class="input"
          list={id}
          value={tag.value}
          maxLength={TAG_MAX_CHARACTERS}
          onInput={(event) => state.filter({ tag: event.currentTarget.value }, { isTyping: true })}
          autocomplete="off"
          spellcheck={false}
        />
        <datalist id={id}>
          {state.knownTags.value.map((one) => (
            <option value={one} key={one} />
          ))}
        </datalist>
      </label>
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
