import type { Comparison } from './compare.ts';

const MAX_SPREAD = 0.15;

export type Row = { what: string; curt: string; reference: string; ratio: string; goal: string };

export const number = (value: number) => Math.round(value).toLocaleString('en');

/** @param spread of the rounds' ratios, see `Comparison` */
export function ratioText(ratio: number, spread: number): string {
  const noise = spread > MAX_SPREAD ? ', too noisy to judge' : '';
  return `${ratio.toFixed(2)} (spread ${Math.round(spread * 100)} %${noise})`;
}

/** A row with CPU per request and requests per second. */
export function comparisonRow(
  what: string,
  { ratio, spread, curt, reference }: Comparison,
  goal: string,
): Row {
  const cell = ({ cpuMicroseconds, perSecond }: Comparison['curt']) =>
    `${cpuMicroseconds.toFixed(1)} µs, ${number(perSecond)}/s`;
  return {
    what,
    curt: cell(curt),
    reference: cell(reference),
    ratio: ratioText(ratio, spread),
    goal,
  };
}

export function markdown(rows: Row[]): string {
  const head: Row = {
    what: 'what',
    curt: 'Curt',
    reference: 'reference',
    ratio: 'ratio',
    goal: 'goal',
  };
  const line = ({ what, curt, reference, ratio, goal }: Row) =>
    `| ${[what, curt, reference, ratio, goal].join(' | ')} |`;
  return [line(head), '|---|---|---|---|---|', ...rows.map(line)].join('\n');
}
