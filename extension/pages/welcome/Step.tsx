import type { ComponentChildren } from 'preact';

export type StepProps = { number: number; heading: string; children: ComponentChildren };

export function Step({ number, heading, children }: StepProps) {
  const id = `step-${number}`;
  return (
    <section class="card" aria-labelledby={id}>
      <h2 class="step-heading" id={id}>
        <span class="step-number">{number}</span>
        {heading}
      </h2>
      <div class="rows">{children}</div>
    </section>
  );
}
