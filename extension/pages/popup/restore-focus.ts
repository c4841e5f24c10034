import { useEffect, useRef } from 'preact/hooks';
import type { View } from './state/view.ts';

/**
 * A button that is pressed goes with its view, and its focus falls to the page. The first button of
 * the next view takes it, or where there is none the line that says what is going on. It is never
 * taken from where somebody is.
 */
export function useLostFocus(view: View): void {
  const before = useRef(view);
  useEffect(() => {
    // A popup that opens is at work before anything was pressed: nothing is lost yet.
    const isOpening = before.current.name === 'working' && view.name === 'working';
    before.current = view;
    const status = document.querySelector<HTMLElement>('.stage .status');
    const { activeElement, body } = document;
    if (isOpening || (activeElement !== body && activeElement !== status)) return;
    const button = document.querySelector<HTMLElement>('.stage .actions button');
    (button ?? status)?.focus();
  }, [view]);
}
