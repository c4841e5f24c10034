import { lazy } from '../../ui/lazy.ts';

/*
 * What the popup does not show at once, so that the rest is there sooner.
 */

export const Outcome = lazy(async () => (await import('./result/Result.tsx')).Outcome);
export const OptionsForm = lazy(async () => (await import('./form/OptionsForm.tsx')).OptionsForm);
export const Notices = lazy(async () => (await import('./Notices.tsx')).Notices);
