import { t } from '../../../i18n/translate.ts';
import { Card } from '../Card.tsx';
import type { OptionsState } from '../state/options-state.ts';
import { MAKING } from './setting-toggles.ts';
import { Toggles } from './Toggles.tsx';

export function MakingSection({ state }: { state: OptionsState }) {
  return (
    <Card name="making" heading={t('shortening_heading')} note={state.notes.making.value}>
      <Toggles
        choices={MAKING}
        settings={state.settings.value}
        onChange={(change) => state.save(change, state.notes.making)}
      />
    </Card>
  );
}
