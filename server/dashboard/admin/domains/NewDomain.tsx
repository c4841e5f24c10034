import { useSignal } from '@preact/signals';
import { t } from '../../../../shared/i18n/translate.ts';
import { DOMAIN_MAX_CHARACTERS } from '../../../../shared/limits.ts';
import { Form } from '../../../../shared/ui/Form.tsx';
import { InputField } from '../../../../shared/ui/InputField.tsx';
import type { Actions } from '../parts/actions.ts';
import { useOneAtATime } from '../parts/one-at-a-time.ts';

/** Adds a domain. Everything else is set on its page. */
export function NewDomain({ actions }: { actions: Actions }) {
  const host = useSignal('');
  const issue = useSignal<string | undefined>(undefined);

  const add = useOneAtATime(async () => {
    const name = host.value.trim();
    issue.value = name === '' ? t('admin_domain_missing') : undefined;
    if (issue.value) return;
    const result = await actions.run(
      (client) => client.addDomain({ host: name }),
      t('admin_domain_added', name),
      (client) => client.removeDomain(name, { links: 'keep' }),
    );
    if (result.ok) host.value = '';
  });

  return (
    <section class="card" aria-labelledby="new-domain-heading">
      <h2 id="new-domain-heading" tabIndex={-1}>
        {t('admin_new_domain')}
      </h2>
      <Form class="rows" onSubmit={add}>
        <InputField
          label={t('admin_kind_host')}
          hint={t('admin_domain_hint')}
          issue={issue.value}
          name="host"
          isCode
          value={host.value}
          onInput={(event) => {
            host.value = event.currentTarget.value;
            issue.value = undefined;
          }}
          maxLength={DOMAIN_MAX_CHARACTERS}
        />
        <div class="buttons">
          <button type="submit" class="button primary">
            {t('admin_add_domain')}
          </button>
        </div>
      </Form>
    </section>
  );
}
