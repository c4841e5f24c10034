import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { formatNumber } from '../../i18n/plural.ts';
import { t } from '../../i18n/translate.ts';
import type { LinkStatus } from '../../links/link-status.ts';
import { DomainSelect } from '../DomainSelect.tsx';
import { Icon } from '../Icon.tsx';
import { hasKeyboard } from '../keys.ts';
import { lazy } from '../lazy.ts';
import { Select } from '../Select.tsx';
import { SEARCH_FIELD } from './focus.ts';
import { formatTotal, SORT_TEXTS, SORTS, STATUS_TEXTS } from './link-texts.ts';
import type { LinksState } from './state/links-state.ts';

const TagFilter = lazy(async () => (await import('./ListTools.tsx')).TagFilter, {
  placeholder: TagFilterPlace,
});

/** Always in view. The list is filtered as the user types. */
export function SearchBar({ state }: { state: LinksState }) {
  const { total, words, failure, tag, domain, status } = state.loading;
  /** Where there is little space, the filters are behind a button. */
  const isOpen = useSignal(false);
  const chosen = [tag, domain, status].filter(({ value }) => value).length;
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

/** Sorts the list, and shows only links with a tag, on a domain or with a status. */
function Filters({ state, isOpen }: { state: LinksState; isOpen: boolean }) {
  const id = useId();
  const { domain, status, sort } = state.loading;
  return (
    <div class={isOpen ? 'filters shown' : 'filters'}>
      <label class="filter" for={`${id}-status`}>
        <span>{t('filter_status')}</span>
        <Select
          id={`${id}-status`}
          options={[
            { value: '', label: t('status_all') },
            ...statusChoices(state).map((value) => ({ value, label: t(STATUS_TEXTS[value]) })),
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

/** Looks like the filter by tag. */
function TagFilterPlace({ state }: { state: LinksState }) {
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
