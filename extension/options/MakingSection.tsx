import { t } from '../i18n.ts';
import { Card } from './Card.tsx';
import { Choices } from './Choices.tsx';
import { MAKING } from './choices.ts';
import type { OptionsState } from './options-state.ts';

export function MakingSection({ state }: { state: OptionsState }) {
  return (
    <Card name="making" heading={t('making_heading')} note={state.notes.making.value}>
      <Choices
        choices={MAKING}
        settings={state.settings.value}
        onChange={(change) => state.save(change, state.notes.making)}
      />
    </Card>
  );
}
