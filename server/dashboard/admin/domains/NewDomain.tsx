import { DOMAIN_MAX_CHARACTERS } from '../../../../shared/bounds.ts';
import { t } from '../../../../shared/i18n/translate.ts';
import { InputField } from '../../../../shared/ui/Field.tsx';
import { Form } from '../../../../shared/ui/Form.tsx';
import type { ListFormProps } from '../lists/ListPage.tsx';
import { useOneAtATime } from '../parts/ConfirmAction.tsx';
import { needed, useTyped } from '../parts/typed.ts';

/** Adds a domain. Everything else is set on its page. */
export function NewDomain({ actions }: ListFormProps) {
  const host = useTyped(needed('admin_domain_missing'));

  const add = useOneAtATime(async () => {
    if (!host.check()) return;
    const name = host.text;
    const result = await actions.submit(
      (client) => client.adminAddDomain({ body: { host: name } }),
      t('admin_domain_added', name),
      (client) => client.adminRemoveDomain({ host: name, links: 'keep' }),
    );
    if (result.ok) host.clear();
  });

  return (
    <section class="card" aria-labelledby="new-domain-heading">
      <h2 id="new-domain-heading" tabIndex={-1}>
        {t('admin_new_domain')}
      </h2>
      <Form class="rows" onSubmit={add}>
        <InputField
          label={t('field_domain')}
          hint={t('admin_domain_hint')}
          {...host.field}
          name="host"
          isCode
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
