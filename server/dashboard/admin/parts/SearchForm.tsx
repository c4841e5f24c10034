import type { ComponentChildren } from 'preact';
import { t } from '../../../../shared/i18n/translate.ts';
import { Form } from '../../../../shared/ui/Form.tsx';

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
      <Form class="rows" onSubmit={onSearch}>
        <div class="form-line">{children}</div>
        <div class="buttons">
          <button type="submit" class="button">
            {t('admin_search')}
          </button>
        </div>
      </Form>
    </search>
  );
}
