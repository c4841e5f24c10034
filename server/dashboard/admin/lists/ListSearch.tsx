import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { type PlainKey, t } from '../../../../shared/i18n/translate.ts';
import { DomainSelect } from '../../../../shared/ui/DomainSelect.tsx';
import { Field, InputField } from '../../../../shared/ui/Field.tsx';
import { Form } from '../../../../shared/ui/Form.tsx';
import type { AdminPageProps } from '../admin.ts';
import { useData } from '../parts/actions.tsx';

/** What a list was last asked for, as the address says. Empty parts are absent. */
export type ListQuery = { [name in (typeof ASKED)[number]]?: string };
export const ASKED = ['q', 'host', 'domain'] as const;

export type SearchField = {
  name: 'q' | 'host';
  label: PlainKey;
  hint?: PlainKey;
  isCode?: true;
};

type ListSearchProps = AdminPageProps & {
  fields: readonly SearchField[];
  hasDomains: true | undefined;
  /** What the list was last asked for: typing alone does not change it. */
  query: ListQuery;
  onSearch(query: ListQuery): void;
};

/** Renders fields side by side, with a button that asks the server. */
export function ListSearch({ admin, fields, hasDomains, query, onSearch }: ListSearchProps) {
  const { domain, ...texts } = query;
  const typed = useSignal<Record<string, string>>(texts);
  // With Back, too.
  useEffect(() => {
    typed.value = texts;
  }, [texts.q, texts.host]);
  return (
    <search class="card">
      <Form
        class="rows"
        onSubmit={() => {
          const parts = Object.entries(typed.value).map(([name, text]) => [name, text.trim()]);
          const filled = Object.fromEntries(parts.filter(([, text]) => text !== ''));
          onSearch({ ...filled, ...(domain && { domain }) });
        }}
      >
        <div class="form-line">
          {fields.map(({ name, label, hint, isCode }) => (
            <InputField
              key={name}
              label={t(label)}
              name={name}
              value={typed.value[name] ?? ''}
              onInput={({ currentTarget: { value } }) => {
                typed.value = { ...typed.value, [name]: value };
              }}
              {...(isCode ? { isCode } : { type: 'search' })}
              {...(hint && { hint: t(hint) })}
            />
          ))}
          {hasDomains && (
            <DomainField
              admin={admin}
              value={domain ?? ''}
              onChoose={(chosen) => onSearch({ ...texts, ...(chosen && { domain: chosen }) })}
            />
          )}
        </div>
        <div class="buttons">
          <button type="submit" class="button">
            {t('admin_search')}
          </button>
        </div>
      </Form>
    </search>
  );
}

type DomainFieldProps = AdminPageProps & { value: string; onChoose(host: string): void };

function DomainField({ admin, value, onChoose }: DomainFieldProps) {
  const domains = useData(admin, (client) => client.adminListDomains()).data.value ?? [];
  if (domains.length < 2) return null;
  return (
    <Field label={t('field_domain')}>
      {(control) => (
        <DomainSelect
          {...control}
          domains={domains}
          value={value}
          all={t('status_all')}
          onChoose={onChoose}
        />
      )}
    </Field>
  );
}
