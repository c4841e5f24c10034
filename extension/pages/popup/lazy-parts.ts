import { lazy } from '../../../shared/ui/lazy.ts';

/*
 * Parts that the popup loads on demand.
 */

export const OptionsForm = lazy(async () => (await import('./form/OptionsForm.tsx')).OptionsForm);
export const Notices = lazy(async () => (await import('./Notices.tsx')).Notices);
export const ManageLink = lazy(async () => (await import('./manage/ManageLink.tsx')).ManageLink);
