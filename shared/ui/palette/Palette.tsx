import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { type PlainKey, t } from '../../i18n/translate.ts';
import { withoutProtocol } from '../../links/link-address.ts';
import type { LinkRecord } from '../../links/link-record.ts';
import { readTypedUrl } from '../../links/url-in-text.ts';
import { foldSearched } from '../../text.ts';
import { systemTime } from '../../time.ts';
import { cleanUrl } from '../clean-url.ts';
import { Icon, type IconName } from '../Icon.tsx';
import type { LinkSource } from '../links/link-source.ts';
import type { Created } from '../links/state/new-link.ts';
import { UrlInput } from '../UrlInput.tsx';
import { useOptions } from '../use-options.ts';

type Face = { label: string; detail?: string; icon: IconName };
/** A page to open. */
export type PalettePage = Face & { href: string };
type PaletteOption = PalettePage | (Face & { act(): unknown });

export type PaletteTools = {
  source: Pick<LinkSource, 'page'>;
  statisticsUrl(link: LinkRecord): string;
  /** The list with the form of a link. */
  editUrl(link: LinkRecord): string;
  /** @returns whether the short URL is in the clipboard */
  copy(link: LinkRecord): Promise<boolean>;
  /** Creates a link of a typed URL. Absent if none can be created here. */
  create?: Create | undefined;
  /** Whether a typed URL can be cleaned before. Absent where `create` does it. @default false */
  cleansUrls?: boolean;
};
type Create = (text: string) => Promise<Created>;

export type PaletteProps = { pages: PalettePage[]; tools: PaletteTools; onClose(): void };

/** How long no key is pressed before a search starts. */
const SEARCH_DELAY_MS = 200;
const LINKS_MAX = 8;
/** With a protocol, or a host and a path. */
const LIKE_URL = /^\S+:\/\/\S|^[^\s/.]+\.[^\s/]+\/\S/;

/** Finds a page or link by its name, and says what can be done with a link. Shortens a pasted URL. */
export function Palette({ pages, tools, onClose }: PaletteProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const words = useSignal('');
  const found = useSignal<LinkRecord[] | undefined>(undefined);
  /** The link that was chosen or created. */
  const chosen = useSignal<LinkRecord | undefined>(undefined);
  /** What became of it. */
  const note = useSignal('');
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const wanted = words.value.trim();
  useEffect(() => {
    found.value = undefined;
    chosen.value = undefined;
    note.value = '';
    if (wanted === '') return;
    let isWanted = true;
    const cancel = systemTime.after(SEARCH_DELAY_MS, async () => {
      const page = await tools.source.page({ q: wanted }, undefined);
      if (!isWanted) return;
      if (page.ok) found.value = page.data.links.slice(0, LINKS_MAX);
      else note.value = page.text;
    });
    return () => {
      isWanted = false;
      cancel();
    };
  }, [wanted]);

  async function copy(link: LinkRecord): Promise<void> {
    note.value = t((await tools.copy(link)) ? 'short_link_copied' : 'link_not_copied');
  }

  async function create(make: Create, url: string): Promise<void> {
    note.value = t('working');
    const created = await make(url);
    note.value = created.ok ? '' : created.text;
    if (!created.ok) return;
    chosen.value = created.data;
    await copy(created.data);
  }

  function firstOptions(): PaletteOption[] {
    const hasName = ({ label }: Face) => foldSearched(label).includes(foldSearched(wanted));
    const links = (found.value ?? []).map((link) => ({
      ...faceOf(link),
      act() {
        chosen.value = link;
        reset();
      },
    }));
    return [...creations(), ...pages.filter(hasName), ...links];
  }

  function creations(): PaletteOption[] {
    const { create: make, cleansUrls = false } = tools;
    if (!make || !LIKE_URL.test(wanted)) return [];
    const cleaned = cleansUrls ? cleanUrl(wanted) : undefined;
    const option = (name: PlainKey, value: string): PaletteOption => ({
      label: t('label_of', t(name), value),
      icon: 'add',
      act: () => create(make, value),
    });
    if (!cleaned) return [option('shorten', cleansUrls ? readTypedUrl(wanted) : wanted)];
    return [option('shorten', cleaned.url), option('use_full_url', cleaned.full)];
  }

  const link = chosen.value;
  const options: PaletteOption[] = link
    ? [
        { label: t('copy'), icon: 'copy', act: () => copy(link) },
        { label: t('link_edit'), icon: 'edit', href: tools.editUrl(link) },
        { label: t('link_statistics'), icon: 'statistics', href: tools.statisticsUrl(link) },
      ]
    : firstOptions();
  const { fieldProps, listId, optionProps, handleKey, reset } = useOptions(options.length);

  return (
    <dialog ref={dialog} class="dialog palette" aria-label={t('palette_title')} onClose={onClose}>
      {/* Also for words in any script. */}
      <UrlInput
        {...fieldProps}
        inputMode="text"
        dir={undefined}
        aria-label={t('palette_title')}
        placeholder={t('palette_title')}
        value={words.value}
        onInput={(event) => {
          words.value = event.currentTarget.value;
          reset();
        }}
        onKeyDown={handleKey}
      />
      {link && <p class="palette-link">{faceOf(link).label}</p>}
      <div role="listbox" id={listId} aria-label={t('palette_title')} class="palette-list">
        {options.map((option, index) => (
          <Option
            key={`${option.label} ${option.detail}`}
            option={option}
            // The focus stays in the field.
            attributes={optionProps(index)}
            onOpen={() => dialog.current?.close()}
          />
        ))}
      </div>
      <p role="status" class="note">
        {note.value || (options.length === 0 && found.value && t('palette_empty'))}
      </p>
    </dialog>
  );
}

type OptionProps = {
  option: PaletteOption;
  attributes: ReturnType<ReturnType<typeof useOptions>['optionProps']>;
  onOpen(): void;
};

function Option({ option, attributes, onOpen }: OptionProps) {
  const { label, detail, icon } = option;
  const content = (
    <>
      <Icon name={icon} />
      <bdi class="menu-label" title={label}>
        {label}
      </bdi>
      {detail && (
        <bdi class="palette-detail" dir="ltr" title={detail}>
          {detail}
        </bdi>
      )}
    </>
  );
  if ('href' in option) {
    return (
      <a class="menu-item" role="option" {...attributes} href={option.href} onClick={onOpen}>
        {content}
      </a>
    );
  }
  return (
    <button
      type="button"
      class="menu-item"
      role="option"
      {...attributes}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => void option.act()}
    >
      {content}
    </button>
  );
}

function faceOf({ title, label, shortUrl }: LinkRecord): Face {
  const shown = withoutProtocol(shortUrl);
  const name = title || label;
  return { label: name || shown, detail: name ? shown : '', icon: 'links' };
}
