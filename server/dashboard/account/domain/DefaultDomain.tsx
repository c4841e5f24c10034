import { t } from '../../../../shared/i18n/translate.ts';
import { DomainSelect } from '../../../../shared/ui/DomainSelect.tsx';
import { FailureNote } from '../../../../shared/ui/FailureNote.tsx';
import { Field } from '../../../../shared/ui/Field.tsx';
import type { DomainState } from './domain-state.ts';

/** The domain of new links, if there is a choice. */
export function DefaultDomain({ state }: { state: DomainState }) {
  const domains = state.domains.value;
  if (domains.length < 2) return <FailureNote failure={state.failure.value} />;
  return (
    <section class="card" aria-labelledby="domain-heading">
      <h2 id="domain-heading" tabIndex={-1}>
        {t('field_domain')}
      </h2>
      <FailureNote failure={state.failure.value} />
      <Field label={t('default_domain_label')} hint={t('default_domain_hint')}>
        {(control) => (
          <DomainSelect
            {...control}
            domains={domains}
            value={domains.find(({ isDefault }) => isDefault)?.host ?? ''}
            onChoose={(host) => void state.choose(host)}
          />
        )}
      </Field>
      <p role="status">{state.isSaved.value && t('saved')}</p>
    </section>
  );
}
