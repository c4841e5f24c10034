import { t } from '../../../../shared/i18n/translate.ts';
import { DomainSelect } from '../../../../shared/ui/DomainSelect.tsx';
import { Field } from '../../../../shared/ui/Field.tsx';
import { Card } from '../Card.tsx';
import type { OptionsState } from '../state/options-state.ts';
import { SHORTENING_TOGGLES } from './setting-toggles.ts';
import { Toggles } from './Toggles.tsx';

export function ShorteningSection({ state }: { state: OptionsState }) {
  const choices = state.domains.value;
  return (
    <Card name="shortening" heading={t('shortening_heading')} note={state.notes.shortening.value}>
      <Toggles
        toggles={SHORTENING_TOGGLES}
        settings={state.settings.value}
        fixed={state.policy.value.fixed}
        onChange={(change) => state.save(change, state.notes.shortening)}
      />
      {choices && (
        <Field label={t('default_domain_label')} hint={t('default_domain_hint')}>
          {(control) => (
            <DomainSelect
              {...control}
              domains={choices.domains}
              value={choices.chosen}
              onChoose={state.chooseDomain}
            />
          )}
        </Field>
      )}
    </Card>
  );
}
