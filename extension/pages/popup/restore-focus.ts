import { useEffect, useRef } from 'preact/hooks';
import type { View } from './state/view.ts';

/**
 * A clicked button disappears with its view, and the focus falls back to the page. It moves to the
 * first button of the next view, or to the status line if that has none. A focus that is elsewhere,
 * such as in a field, is left alone.
 */
export function useRestoreFocus(view: View): void {
  const before = useRef(view);
  useEffect(() => {
    // A popup that just opened works before anything was clicked: no focus was lost.
    const isOpening = before.current.name === 'working' && view.name === 'working';
    before.current = view;
    const status = document.querySelector<HTMLElement>('.stage .status');
    const { activeElement, body } = document;
    if (isOpening || (activeElement !== body && activeElement !== status)) return;
    const button = document.querySelector<HTMLElement>('.stage .actions button');
    (button ?? status)?.focus();
  }, [view]);
}
