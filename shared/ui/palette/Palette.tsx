import { useSignal } from '@preact/signals';
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../../i18n/translate.ts';
import { Icon, type IconName } from '../Icon.tsx';
import { isComposing } from '../is-composing.ts';
import type { Outcome } from '../links/link-source.ts';

export type PaletteOption = { label: string; detail?: string; icon: IconName; href: string };

export type PaletteProps = {
  pages: PaletteOption[];
  search(words: string): Promise<Outcome<PaletteOption[]>>;
  onClose(): void;
};

/** Without a key for so long, a search starts. */
const SEARCH_DELAY_MS = 200;

/**
 * Finds a page or link by its name and opens it, as in
 * https://www.w3.org/WAI/ARIA/apg/patterns/combobox/: the focus stays in the field.
 */
export function Palette({ pages, search, onClose }: PaletteProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const words = useSignal('');
  const found = useSignal<Outcome<PaletteOption[]> | undefined>(undefined);
  const active = useSignal(0);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const wanted = words.value.trim();
  useEffect(() => {
    found.value = undefined;
    if (wanted === '') return;
    let isWanted = true;
    const timer = setTimeout(async () => {
      const outcome = await search(wanted);
      if (isWanted) found.value = outcome;
    }, SEARCH_DELAY_MS);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [wanted]);

  const hasName = ({ label }: PaletteOption) => label.toLowerCase().includes(wanted.toLowerCase());
  const links = found.value?.ok ? found.value.data : [];
  const options = [...pages.filter(hasName), ...links];
  const current = Math.min(active.value, options.length - 1);

  function handleKey(event: KeyboardEvent): void {
    if (isComposing(event)) return;
    const step = new Map([
      ['ArrowDown', 1],
      ['ArrowUp', -1],
    ]).get(event.key);
    if (step !== undefined && options.length > 0) {
      active.value = (current + step + options.length) % options.length;
    } else if (event.key === 'Enter') {
      document.getElementById(`${id}-${current}`)?.click();
    } else return;
    event.preventDefault();
  }

  return (
    <dialog ref={dialog} class="dialog palette" aria-label={t('palette_title')} onClose={onClose}>
      <input
        class="input"
        type="text"
        role="combobox"
        aria-label={t('palette_title')}
        aria-expanded={options.length > 0}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={current >= 0 ? `${id}-${current}` : undefined}
        placeholder={t('palette_title')}
        value={words.value}
        onInput={(event) => {
          words.value = event.currentTarget.value;
          active.value = 0;
        }}
        onKeyDown={handleKey}
        autocomplete="off"
        spellcheck={false}
      />
      <div role="listbox" id={`${id}-list`} aria-label={t('palette_title')} class="palette-list">
        {options.map(({ label, detail, icon, href }, index) => (
          <a
            class="menu-item"
            role="option"
            key={href}
            id={`${id}-${index}`}
            aria-selected={index === current}
            href={href}
            tabIndex={-1}
            onClick={() => dialog.current?.close()}
          >
            <Icon name={icon} />
            <bdi class="menu-label" title={label}>
              {label}
            </bdi>
            {detail && (
              <bdi class="palette-detail" dir="ltr" title={detail}>
                {detail}
              </bdi>
            )}
          </a>
        ))}
      </div>
      <p role="status" class="note">
        {options.length === 0 && found.value?.ok && t('palette_empty')}
        {found.value?.ok === false && found.value.text}
      </p>
    </dialog>
  );
}
