import { useId } from 'preact/hooks';
import { t } from '../../i18n/translate.ts';
import { Icon } from '../Icon.tsx';
import {
  CONDITION_LABELS,
  ConditionControl,
  type ConditionControlProps,
} from './ConditionControl.tsx';
import { CONDITION_TEXTS } from './format-rule.ts';

export type ConditionRowProps = Omit<ConditionControlProps, 'control'> & {
  isFirst: boolean;
  issue: string | undefined;
  /** Undefined for the only one. */
  onRemove: (() => void) | undefined;
};

/** Stands for the control in the text around it. */
const CONTROL = '\u0000';

/** A condition as a part of a sentence with a choice: "If the device is [Phone]". */
export function ConditionRow({ isFirst, issue, onRemove, ...condition }: ConditionRowProps) {
  const id = useId();
  const { name } = condition;
  const [before, after] = t(CONDITION_TEXTS[name], CONTROL).split(CONTROL);
  return (
    <li data-condition={name}>
      <span class="rule-sentence">
        <strong>{t(isFirst ? 'rule_if' : 'rule_and')}</strong> {before}
        <ConditionControl
          {...condition}
          control={{
            'aria-describedby': issue ? id : undefined,
            'aria-invalid': issue ? true : undefined,
          }}
        />
        {after}
      </span>
      {onRemove && (
        <button
          type="button"
          class="button plain square"
          aria-label={t('label_of', t('condition_remove'), t(CONDITION_LABELS[name]))}
          title={t('condition_remove')}
          onClick={onRemove}
        >
          <Icon name="close" />
        </button>
      )}
      {issue && (
        <p class="issue" id={id}>
          {issue}
        </p>
      )}
    </li>
  );
}
