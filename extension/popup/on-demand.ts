import { lazy } from '../lazy.ts';

/*
 * What the popup does not show at once, so that the rest is there sooner.
 */

export const Outcome = lazy(async () => (await import('./Outcome.tsx')).Outcome);
export const OptionsForm = lazy(async () => (await import('./OptionsForm.tsx')).OptionsForm);
export const Notices = lazy(async () => (await import('./Notices.tsx')).Notices);
