import { useSignal } from '@preact/signals';
import { formatNumber } from '../../i18n/plural.ts';
import { t } from '../../i18n/translate.ts';
import { filtersIn } from '../../links/list-query.ts';
import { Icon } from '../Icon.tsx';
import { hasKeyboard } from '../keys.ts';
import { lazy } from '../lazy.ts';
import { SEARCH_FIELD } from './focus.ts';
import { formatTotal } from './link-texts.ts';
import { listTools } from './list-tools.ts';
import type { LinksState } from './state/links-state.ts';

const Filters = lazy(async () => (await listTools.preload()).Filters);

/** Always in view. The list is filtered as the user types. */
export function SearchBar({ state }: { state: LinksState }) {
  const { total, q, failure } = state.loading;
  /** Where there is little space, the filters are behind a button. */
  const isOpen = useSignal(false);
  const chosen = filtersIn(state.loading.query()).length;
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
          value={q.value}
          onInput={(event) => state.filter({ q: event.currentTarget.value }, { isTyping: true })}
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
      <div class={isOpen.value ? 'filters shown' : 'filters'}>
        <Filters state={state} />
      </div>
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
