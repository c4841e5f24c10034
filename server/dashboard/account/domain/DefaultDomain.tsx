import { t } from '../../../../shared/i18n/translate.ts';
import { FailureNote } from '../../../../shared/ui/FailureNote.tsx';
import { Field } from '../../../../shared/ui/Field.tsx';
import type { DomainState } from './domain-state.ts';

/** The domain of new links, if there is a choice. */
export function DefaultDomain({ state }: { state: DomainState }) {
  // The default is the first.
  const hosts = state.domains.value.toSorted((one, other) => (one.host < other.host ? -1 : 1));
  if (hosts.length < 2) return <FailureNote failure={state.failure.value} />;
  return (
    <section class="card" aria-labelledby="domain-heading">
      <h2 id="domain-heading" tabIndex={-1}>
        {t('default_domain')}
      </h2>
      <FailureNote failure={state.failure.value} />
      <Field label={t('default_domain_label')} hint={t('default_domain_hint')}>
        {(control) => (
          <select
            {...control}
            class="input"
            name="domain"
            value={hosts.find(({ isDefault }) => isDefault)?.host}
            onChange={(event) => void state.choose(event.currentTarget.value)}
          >
            {hosts.map(({ host, displayHost }) => (
              <option key={host} value={host}>
                {displayHost}
              </option>
            ))}
          </select>
        )}
      </Field>
      <p role="status">{state.isSaved.value && t('saved')}</p>
    </section>
  );
}
