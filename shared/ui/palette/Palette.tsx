import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../../i18n/translate.ts';
import { foldSearched } from '../../text.ts';
import { Icon, type IconName } from '../Icon.tsx';
import type { Outcome } from '../links/link-source.ts';
import { useOptions } from '../use-options.ts';

export type PaletteOption = { label: string; detail?: string; icon: IconName; href: string };

export type PaletteProps = {
  pages: PaletteOption[];
  search(words: string): Promise<Outcome<PaletteOption[]>>;
  onClose(): void;
};

/** Without a key for so long, a search starts. */
const SEARCH_DELAY_MS = 200;

/** Finds a page or link by its name and opens it. */
export function Palette({ pages, search, onClose }: PaletteProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const words = useSignal('');
  const found = useSignal<Outcome<PaletteOption[]> | undefined>(undefined);
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

  const hasName = ({ label }: PaletteOption) => foldSearched(label).includes(foldSearched(wanted));
  const links = found.value?.ok ? found.value.data : [];
  const options = [...pages.filter(hasName), ...links];
  const { fieldProps, listId, optionProps, handleKey, reset } = useOptions(options.length);

  return (
    <dialog ref={dialog} class="dialog palette" aria-label={t('palette_title')} onClose={onClose}>
      <input
        {...fieldProps}
        class="input"
        type="text"
        aria-label={t('palette_title')}
        placeholder={t('palette_title')}
        value={words.value}
        onInput={(event) => {
          words.value = event.currentTarget.value;
          reset();
        }}
        onKeyDown={handleKey}
      />
      <div role="listbox" id={listId} aria-label={t('palette_title')} class="palette-list">
        {options.map(({ label, detail, icon, href }, index) => (
          <a
            class="menu-item"
            key={href}
            role="option"
            {...optionProps(index)}
            href={href}
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
