import { useSignal } from '@preact/signals';
import type { ComponentChild } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { areKeysOn, latinKey } from '../keys.ts';

type PaletteKeyProps = {
  /** Rendered, and thus loaded, when the key is first pressed. */
  palette: (onClose: () => void) => ComponentChild;
};

/** Opens the palette with Ctrl+K or Cmd+K, unless the setting of the keys turns it off. */
export function PaletteKey({ palette }: PaletteKeyProps) {
  const isOpen = useSignal(false);
  // Not after the next frame: the key works as soon as the page is there.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isKey = latinKey(event) === 'k' && (event.ctrlKey || event.metaKey);
      if (!isKey || event.shiftKey || event.altKey || !areKeysOn()) return;
      event.preventDefault();
      // An open dialog comes first: its form would be left.
      if (!document.querySelector('dialog[open]')) isOpen.value = true;
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
  if (!isOpen.value) return null;
  return palette(() => {
    isOpen.value = false;
  });
}
