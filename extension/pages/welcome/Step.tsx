import type { ComponentChildren } from 'preact';
import { t } from '../../../shared/i18n/translate.ts';
import { Icon } from '../../../shared/ui/Icon.tsx';

export type StepProps = {
  number: number;
  heading: string;
  isDone: boolean;
  children: ComponentChildren;
};

export function Step({ number, heading, isDone, children }: StepProps) {
  const id = `step-${number}`;
  return (
    <section class="card" aria-labelledby={id}>
      <h2 class="step-heading" id={id}>
        <span class="step-number">{isDone ? <Icon name="check" /> : number}</span>
        {heading}
        {isDone && <span class="visually-hidden"> {t('welcome_done')}</span>}
      </h2>
      <div class="rows">{children}</div>
    </section>
  );
}
