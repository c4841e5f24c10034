import { type CountForms, sayCount } from './plural.ts';

const FORMS = {
  zero: 'tracking_removed_other',
  one: 'tracking_removed_one',
  two: 'tracking_removed_two',
  few: 'tracking_removed_few',
  many: 'tracking_removed_many',
  other: 'tracking_removed_other',
} as const satisfies CountForms;

/** How many tracking parameters were taken out of an address, in words. */
export function sayRemoved(count: number): string {
  return sayCount(FORMS, count);
}
