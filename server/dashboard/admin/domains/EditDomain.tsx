import { useSignal } from '@preact/signals';
import type { AdminDomain, EditDomainRequest } from '../../../../shared/admin/domains.ts';
import { BRAND_NAME_MAX_CHARACTERS, DOMAIN_LOGO_MAX_BYTES } from '../../../../shared/bounds.ts';
import { formatBytes } from '../../../../shared/i18n/format-bytes.ts';
import { t } from '../../../../shared/i18n/translate.ts';
import { readTypedUrl } from '../../../../shared/links/url-in-text.ts';
import { InputField, SelectField } from '../../../../shared/ui/Field.tsx';
import { Form } from '../../../../shared/ui/Form.tsx';
import type { Actions } from '../parts/actions.tsx';
import { accountsText, toSettings } from './domain-texts.ts';

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

/** Edits the settings of a domain. Every change can be undone, so it asks nothing. */
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
      (client) => client.adminEditDomain({ host, body: edit }),
      t('saved'),
      (client) => client.adminEditDomain({ host, body: reset }),
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
              draft.value.accounts === before.accounts
                ? accountsText(domain)
                : t('admin_accounts_all'),
            class: 'input mono',
            isCode: true,
          })}
          <SelectField
            label={t('admin_scheme')}
            name="scheme"
            options={[
              { value: '', label: t('admin_quota_default') },
              ...SCHEMES.map((value) => ({ value, label: value })),
            ]}
            value={draft.value.scheme}
            onChoose={(scheme) => set({ scheme })}
          />
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

type LogoFieldProps = { logo: string | null; onChange(logo: string | null): void };

/** The logo as a `data:` URL. The server decides whether a file is one. */
function LogoField({ logo, onChange }: LogoFieldProps) {
  function read(file: File | undefined): void {
    if (!file) return;
    const reader = new FileReader();
    reader.onload = () => onChange(String(reader.result));
    reader.readAsDataURL(file);
  }

  return (
    <div class="form-line">
      <InputField
        label={t('qr_logo')}
        hint={t('admin_logo_hint', formatBytes(DOMAIN_LOGO_MAX_BYTES))}
        type="file"
        name="logo"
        accept="image/svg+xml,image/png"
        // Without a file, the browser reports the choice of the same one, which may have changed.
        onClick={({ currentTarget }) => {
          currentTarget.value = '';
        }}
        onChange={({ currentTarget: { files } }) => read(files?.[0])}
      />
      {logo !== null && (
        <div class="domain-logo">
          <img src={logo} alt={t('qr_logo')} />
          <button type="button" class="button" onClick={() => onChange(null)}>
            {t('admin_logo_remove')}
          </button>
        </div>
      )}
    </div>
  );
}
