import type { ComponentChildren } from 'preact';
import { t } from '../../../../shared/i18n/translate.ts';

/** Fields side by side, with a button that asks the server. */
export function SearchForm({
  children,
  onSearch,
}: {
  children: ComponentChildren;
  onSearch(): Promise<void>;
}) {
  return (
    <search class="card">
      <form
        class="rows"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void onSearch();
        }}
      >
        <div class="form-line">{children}</div>
        <div class="buttons">
          <button type="submit" class="button">
            {t('admin_search')}
          </button>
        </div>
      </form>
    </search>
  );
}
