import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { RULES_MAX } from '../../bounds.ts';
import { formatNumber } from '../../i18n/plural.ts';
import { t } from '../../i18n/translate.ts';
import { Disclosure } from '../Disclosure.tsx';
import { Icon } from '../Icon.tsx';
import type { RuleInput, RuleIssues } from '../link-form/rule-inputs.ts';
import { RuleFields } from './RuleFields.tsx';
import { TryRules } from './TryRules.tsx';
import './rules.css';

type RulesEditorProps = {
  rules: RuleInput[];
  issues: RuleIssues;
  /** Where visits go that no rule matches. */
  originalUrl: string;
  /** Whether the server knows from which country a visit comes. */
  knowsCountries: boolean;
  onChange: (rules: RuleInput[]) => void;
};

const NEW_RULE: RuleInput = { device: 'phone', originalUrl: '' };
const FIRST_CONTROL = ':is(select, input)';

/** Renders the rules of a link, in order. Buttons and a grip to drag move them. */
export function RulesEditor(props: RulesEditorProps) {
  const { rules, issues, originalUrl, knowsCountries, onChange } = props;
  const list = useRef<HTMLOListElement>(null);
  const add = useRef<HTMLButtonElement>(null);
  const focused = useRef('');
  const dragged = useRef<number | undefined>(undefined);
  const dropPlace = useSignal<number | undefined>(undefined);
  useLayoutEffect(() => {
    if (focused.current) list.current?.querySelector<HTMLElement>(focused.current)?.focus();
    focused.current = '';
  });

  function change(changed: RuleInput[], index: number, selector: string): void {
    focused.current = `[data-rule="${index}"] ${selector}`;
    onChange(changed);
  }
  function move(from: number, to: number, selector: string): void {
    const moved = rules.toSpliced(from, 1).toSpliced(to, 0, rules[from] as RuleInput);
    if (to >= 0 && to < rules.length) change(moved, to, selector);
  }
  function remove(index: number): void {
    const left = rules.toSpliced(index, 1);
    change(left, Math.min(index, left.length - 1), '[data-control="remove"]');
    if (left.length === 0) add.current?.focus();
  }

  return (
    <div class="rules">
      <p class="hint">{t('rules_hint')}</p>
      <ol ref={list}>
        {rules.map((rule, index) => (
          <li
            // Rules have no identity of their own, and all their controls show the form's values.
            key={index}
            data-rule={index}
            class={dropPlace.value === index ? 'rule drop-place' : 'rule'}
            onDragOver={(event) => {
              if (dragged.current === undefined) return;
              event.preventDefault();
              dropPlace.value = index;
            }}
            onDrop={(event) => {
              event.preventDefault();
              if (dragged.current !== undefined)
                move(dragged.current, index, '[data-control="up"]');
            }}
          >
            <fieldset>
              <legend class="label">{t('rule_number', formatNumber(index + 1))}</legend>
              <div class="rule-buttons">
                <span
                  class="grip"
                  draggable
                  aria-hidden="true"
                  onDragStart={({ dataTransfer, currentTarget }) => {
                    dragged.current = index;
                    // Firefox drags nothing without data.
                    dataTransfer?.setData('application/x-rule', String(index));
                    const row = currentTarget.closest('li');
                    if (row) dataTransfer?.setDragImage(row, 0, 0);
                  }}
                  onDragEnd={() => {
                    dragged.current = undefined;
                    dropPlace.value = undefined;
                  }}
                >
                  <Icon name="grip" />
                </span>
                <RuleButton
                  {...{ index, control: 'up', icon: 'chevron', label: t('rule_up') }}
                  isDisabled={index === 0}
                  onClick={() => move(index, index - 1, '[data-control="up"]')}
                />
                <RuleButton
                  {...{ index, control: 'down', icon: 'chevron', label: t('rule_down') }}
                  isDisabled={index === rules.length - 1}
                  onClick={() => move(index, index + 1, '[data-control="down"]')}
                />
                <RuleButton
                  {...{ index, control: 'remove', icon: 'remove', label: t('rule_remove') }}
                  onClick={() => remove(index)}
                />
              </div>
              <RuleFields
                rule={rule}
                index={index}
                issues={issues}
                knowsCountries={knowsCountries}
                onChange={(changed, selector = '') => {
                  const all = rules.with(index, changed);
                  if (selector) change(all, index, selector);
                  else onChange(all);
                }}
              />
            </fieldset>
          </li>
        ))}
      </ol>
      {rules.length < RULES_MAX ? (
        <button
          type="button"
          class="button"
          ref={add}
          onClick={() => change([...rules, NEW_RULE], rules.length, FIRST_CONTROL)}
        >
          <Icon name="add" />
          {t('rule_add')}
        </button>
      ) : (
        <p class="hint">{t('rules_full', formatNumber(RULES_MAX))}</p>
      )}
      {rules.length > 0 && (
        <Disclosure label={t('try_heading')}>
          {() => (
            <TryRules rules={rules} originalUrl={originalUrl} knowsCountries={knowsCountries} />
          )}
        </Disclosure>
      )}
    </div>
  );
}

type RuleButtonProps = {
  index: number;
  control: string;
  icon: 'chevron' | 'remove';
  label: string;
  /** It keeps the focus, so that the keys that moved a rule to the end still do something. @default false */
  isDisabled?: boolean;
  onClick: () => void;
};

function RuleButton({ index, control, icon, label, isDisabled = false, onClick }: RuleButtonProps) {
  return (
    <button
      type="button"
      class="button plain square"
      data-control={control}
      aria-label={t('label_of', label, t('rule_number', formatNumber(index + 1)))}
      aria-disabled={isDisabled}
      title={label}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}
