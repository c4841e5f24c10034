import { type PlainKey, t } from '../../../../shared/i18n/translate.ts';
import { SelectField } from '../../../../shared/ui/SelectField.tsx';
import { COPY_FORMATS, type CopyFormat } from '../../../links/copy-format.ts';
import { Card } from '../Card.tsx';
import type { OptionsState } from '../state/options-state.ts';
import { COPYING_TOGGLES } from './setting-toggles.ts';
import { Toggles } from './Toggles.tsx';

const FORMAT_LABELS = {
  url: 'format_url',
  markdown: 'format_markdown',
  title_and_url: 'format_title_and_url',
} as const satisfies Record<CopyFormat, PlainKey>;

export function CopyingSection({ state }: { state: OptionsState }) {
  const note = state.notes.copying;
  const isFormatFixed = state.isFixed('copyFormat');
  return (
    <Card name="copying" heading={t('copying_heading')} note={note.value}>
      <Toggles
        toggles={COPYING_TOGGLES}
        settings={state.settings.value}
        fixed={state.policy.value.fixed}
        onChange={(change) => state.save(change, note)}
      />
      <SelectField
        label={t('setting_copy_format')}
        hint={isFormatFixed ? t('managed_setting') : undefined}
        name="copyFormat"
        options={COPY_FORMATS.map((value) => ({ value, label: t(FORMAT_LABELS[value]) }))}
        value={state.settings.value.copyFormat}
        disabled={isFormatFixed}
        onChoose={(copyFormat) => state.save({ copyFormat }, note)}
      />
    </Card>
  );
}
