import { useSignal } from '@preact/signals';
import type { AdminDomain, EditDomainRequest } from '../../../../shared/admin/domains.ts';
import { t } from '../../../../shared/i18n/translate.ts';
import { BRAND_NAME_MAX_CHARACTERS } from '../../../../shared/limits.ts';
import { readTypedUrl } from '../../../../shared/links/url-in-text.ts';
import { Field } from '../../../../shared/ui/Field.tsx';
import { Form } from '../../../../shared/ui/Form.tsx';
import { InputField } from '../../../../shared/ui/InputField.tsx';
import type { Actions } from '../parts/actions.ts';
import { toSettings } from './domain-settings.ts';
import { accountsText } from './domain-texts.ts';
import { LogoField } from './LogoField.tsx';

const SCHEMES = ['https', 'http'] as const;

type Draft = ReturnType<typeof toDraft>;
type TextName = Exclude<keyof Draft, 'logo'>;
type TextOptions = {
  hint?: string;
  placeholder?: string;
  class?: string;
  isCode?: true;
  isUrl?: true;
  maxLength?: number;
};

/** Its settings. Every change can be undone, so it asks nothing. */
export function EditDomain({ domain, actions }: { domain: AdminDomain; actions: Actions }) {
  const before = toDraft(domain);
  const draft = useSignal(before);
  const { host } = domain;

  const set = (changes: Partial<Draft>) => {
    draft.value = { ...draft.value, ...changes };
  };
  const text = (name: TextName, label: string, more: TextOptions = {}) => (
    <InputField
      label={label}
      name={name}
      value={draft.value[name]}
      onInput={(event) => set({ [name]: event.currentTarget.value })}
      spellcheck={false}
      {...more}
    />
  );
  const url = { isUrl: true } as const;

  async function save(): Promise<void> {
    const edit = toRequest(draft.value, before);
    // The form shows both all accounts and none as empty: the domain itself has its settings before.
    const settings = Object.entries(toSettings(domain));
    const reset = Object.fromEntries(settings.filter(([key]) => key in edit));
    await actions.run(
      (client) => client.editDomain(host, edit),
      t('saved'),
      (client) => client.editDomain(host, reset),
    );
  }

  return (
    <section class="card" aria-labelledby="edit-heading">
      <h2 id="edit-heading" tabIndex={-1}>
        {t('admin_domain_settings')}
      </h2>
      <Form class="rows" onSubmit={save}>
        <div class="form-line">
          {text('name', t('field_token_name'), {
            hint: t('admin_domain_name_hint'),
            maxLength: BRAND_NAME_MAX_CHARACTERS,
          })}
          {text('color', t('qr_color'), { hint: t('admin_color_hint'), isCode: true })}
        </div>
        <LogoField logo={draft.value.logo} onChange={(logo) => set({ logo })} />
        {text('rootUrl', t('admin_root_url'), url)}
        {text('notFoundUrl', t('admin_not_found_url'), url)}
        {text('goneUrl', t('admin_gone_url'), url)}
        <div class="form-line">
          {text('accounts', t('admin_accounts'), {
            hint: t('admin_domain_accounts_hint'),
            placeholder:
              draft.value.accounts === before.accounts ? accountsText(domain) : t('status_all'),
            class: 'input mono',
            isCode: true,
          })}
          <Field label={t('admin_scheme')}>
            {(control) => (
              <select
                {...control}
                class="input"
                name="scheme"
                value={draft.value.scheme}
                onChange={(event) => set({ scheme: event.currentTarget.value })}
              >
                <option value="">{t('admin_quota_default')}</option>
                {SCHEMES.map((scheme) => (
                  <option key={scheme} value={scheme}>
                    {scheme}
                  </option>
                ))}
              </select>
            )}
          </Field>
        </div>
        <div class="buttons">
          <button type="submit" class="button primary">
            {t('save')}
          </button>
        </div>
      </Form>
    </section>
  );
}

function toDraft({ scheme, brand, rootUrl, notFoundUrl, goneUrl, accounts }: AdminDomain) {
  return {
    scheme: scheme ?? '',
    name: brand?.name ?? '',
    color: brand?.color ?? '',
    logo: brand?.logo ?? null,
    rootUrl: rootUrl ?? '',
    notFoundUrl: notFoundUrl ?? '',
    goneUrl: goneUrl ?? '',
    accounts: accounts === 'all' ? '' : accounts.join(', '),
  };
}

/** Only what has changed: an empty list of accounts is not the same as all of them. */
function toRequest(draft: Draft, before: Draft): EditDomainRequest {
  const { scheme, name, color, logo, rootUrl, notFoundUrl, goneUrl, accounts } = draft;
  const ids = accounts.split(/[\s,]+/).filter((id) => id !== '');
  const fields = {
    scheme: SCHEMES.find((each) => each === scheme) ?? null,
    rootUrl: readTypedUrl(rootUrl) || null,
    notFoundUrl: readTypedUrl(notFoundUrl) || null,
    goneUrl: readTypedUrl(goneUrl) || null,
    accounts: ids.length === 0 ? ('all' as const) : ids,
  };
  const changed = Object.entries(fields).filter(([key]) => {
    return draft[key as TextName] !== before[key as TextName];
  });
  const brand = { name: name.trim() || null, color: color.trim() || null, logo };
  const isBrandChanged = name !== before.name || color !== before.color || logo !== before.logo;
  return { ...Object.fromEntries(changed), ...(isBrandChanged && { brand }) };
}
