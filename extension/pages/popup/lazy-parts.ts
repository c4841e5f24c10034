import { lazy } from '../../../shared/ui/lazy.ts';

/*
 * Parts that the popup loads on demand.
 */

export const LinkForm = lazy(async () => (await import('./form/LinkForm.tsx')).LinkForm);
export const FormError = lazy(async () => (await import('./form/FormError.tsx')).FormError);
export const AliasEditor = lazy(async () => (await import('./AliasEditor.tsx')).AliasEditor);
export const Notices = lazy(async () => (await import('./Notices.tsx')).Notices);
