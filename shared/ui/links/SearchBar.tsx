import { useSignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useId } from 'preact/hooks';
import { formatNumber } from '../../i18n/plural.ts';
import { t } from '../../i18n/translate.ts';
import type { LinkStatus } from '../../links/link-status.ts';
import { chosenIn, type FilterName, SORTS } from '../../links/list-query.ts';
import { DomainSelect } from '../DomainSelect.tsx';
import { Icon } from '../Icon.tsx';
import { hasKeyboard } from '../keys.ts';
import { lazy } from '../lazy.ts';
import { Select } from '../Select.tsx';
import { SEARCH_FIELD } from './focus.ts';
import { formatTotal, SORT_TEXTS, STATUS_TEXTS } from './link-texts.ts';
import type { LinksState } from './state/links-state.ts';

const TagFilter = lazy(async () => (await import('./ListTools.tsx')).TagFilter, {
  placeholder: TagFilterPlace,
});

/** Always in view. The list is filtered as the user types. */
export function SearchBar({ state }: { state: LinksState }) {
  const { total, words, failure } = state.loading;
  /** Where there is little space, the filters are behind a button. */
  const isOpen = useSignal(false);
  const chosen = chosenIn(state.loading.query()).filter((name) => name in CONTROLS).length;
  return (
    <search class="search">
      <label class="visually-hidden" for={SEARCH_FIELD}>
        {t('links_search')}
      </label>
      <span class="search-field">
        <Icon name="search" />
        <input
          class="input"
          id={SEARCH_FIELD}
          type="search"
          placeholder={t('links_search')}
          value={words.value}
          onInput={(event) =>
            state.filter({ words: event.currentTarget.value }, { isTyping: true })
          }
          // A keyboard on the screen would cover the list.
          autofocus={hasKeyboard()}
          autocomplete="off"
          spellcheck={false}
        />
      </span>
      <button
        type="button"
        class="button filters-button"
        aria-expanded={isOpen.value}
        onClick={() => {
          isOpen.value = !isOpen.value;
        }}
      >
        <Icon name="settings" />
        {chosen > 0 ? t('label_of', t('filters'), formatNumber(chosen)) : t('filters')}
      </button>
      <Filters state={state} isOpen={isOpen.value} />
      <div class="search-end">
        <span class="count">
          {!failure.value && total.value && total.value.count > 0 && formatTotal(total.value)}
        </span>
        <button
          type="button"
          class="button square keys-button"
          aria-label={t('keys_title')}
          title={t('keys_title')}
          onClick={() => state.showKeys(true)}
        >
          <kbd>?</kbd>
        </button>
      </div>
    </search>
  );
}

const STATUSES = Object.keys(STATUS_TEXTS) as LinkStatus[];

/** Those that links have, if all are known. A list never has deleted ones. */
function statusChoices({ statuses, loading }: LinksState): LinkStatus[] {
  const known = statuses.value;
  const isShown = (status: LinkStatus) =>
    !known || known.has(status) || status === 'deleted' || status === loading.status.value;
  return STATUSES.filter(isShown);
}

type FilterProps = { state: LinksState };

/** Sorts the list, and shows only links that pass its filters. */
function Filters({ state, isOpen }: FilterProps & { isOpen: boolean }) {
  const id = useId();
  return (
    <div class={isOpen ? 'filters shown' : 'filters'}>
      {Object.values(CONTROLS).map((Control) => (
        <Control key={Control} state={state} />
      ))}
      <label class="filter" for={id}>
        <span>{t('sort_label')}</span>
        <Select
          id={id}
          options={SORTS.map((value) => ({ value, label: t(SORT_TEXTS[value]) }))}
          value={state.loading.sort.value}
          onChoose={(sort) => state.filter({ sort })}
        />
      </label>
    </div>
  );
}

/** In the order of the page. A filter without a control does not compile. */
const CONTROLS: { [K in FilterName]: ComponentType<FilterProps> } = {
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

/** Looks like the filter by tag. */
function TagFilterPlace({ state }: FilterProps) {
  return (
    <div class="filter tag-filter">
      <span>{t('filter_tag')}</span>
      <span class="tag-field">
        <input
          class="input"
          type="text"
          aria-label={t('filter_tag')}
          placeholder={t('tags_all')}
          value={state.loading.tag.value}
          readOnly
        />
        <Icon name="chevron" />
      </span>
    </div>
  );
}
