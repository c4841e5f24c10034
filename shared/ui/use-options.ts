import { useSignal } from '@preact/signals';
import { useId, useLayoutEffect } from 'preact/hooks';
import { isComposing } from './keys.ts';

const STEPS = new Map([
  ['ArrowDown', 1],
  ['ArrowUp', -1],
]);

/**
 * Options of a field that the arrow keys and Enter choose from, as in
 * https://www.w3.org/WAI/ARIA/apg/patterns/combobox/: the focus stays in the field.
 *
 * @param count how many options are shown
 */
export function useOptions(count: number) {
  const id = useId();
  const active = useSignal(0);
  const current = Math.min(active.value, count - 1);

  useLayoutEffect(() => {
    document.getElementById(`${id}-${current}`)?.scrollIntoView({ block: 'nearest' });
  }, [current]);

  /** @returns whether the key was one of the options */
  function handleKey(event: KeyboardEvent): boolean {
    const step = STEPS.get(event.key);
    if (isComposing(event) || (step === undefined && event.key !== 'Enter')) return false;
    if (step === undefined) document.getElementById(`${id}-${current}`)?.click();
    else if (count > 0) active.value = (current + step + count) % count;
    event.preventDefault();
    return true;
  }

  return {
    fieldProps: {
      role: 'combobox',
      'aria-expanded': count > 0,
      'aria-controls': id,
      'aria-autocomplete': 'list',
      'aria-activedescendant': current >= 0 ? `${id}-${current}` : undefined,
      autocomplete: 'off',
      spellcheck: false,
    },
    listId: id,
    optionProps: (index: number) => ({
      id: `${id}-${index}`,
      'aria-selected': index === current,
      tabIndex: -1,
    }),
    handleKey,
    /** Starts at the first option again. */
    reset() {
      active.value = 0;
    },
  } as const;
}
