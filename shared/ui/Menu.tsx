import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../i18n/translate.ts';
import { Icon, type IconName } from './Icon.tsx';
import { latinKey } from './keys.ts';

type ItemFace = {
  label: string;
  icon: IconName;
  /** The key that does the same without the menu, as `KeyboardEvent.key` has it. */
  key?: string;
  /** A disabled item can have the focus, so that a screen reader finds it. @default false */
  isDisabled?: boolean;
};
export type MenuAction = ItemFace & { onSelect(): void };
/** @property isElsewhere whether it opens in a new tab */
type MenuLink = ItemFace & { href: string; isElsewhere?: boolean };
export type MenuItem = MenuAction | MenuLink;

export type Opened = {
  firstFocus: 'first' | 'last';
  /** Whether the menu is above the button. */
  isAbove: boolean;
};

/** From one item to the next with each key, as in https://www.w3.org/WAI/ARIA/apg/patterns/menubar/. */
const MOVES = new Map(
  Object.entries<(index: number, count: number) => number>({
    ArrowDown: (index, count) => (index + 1) % count,
    ArrowUp: (index, count) => (index - 1 + count) % count,
    Home: () => 0,
    End: (_, count) => count - 1,
  }),
);

type MenuProps = {
  id: string;
  label: string;
  hint: string | undefined;
  items: MenuItem[];
  onClose(): void;
} & Opened;

/** Renders the open menu of a `MenuButton`. */
export function Menu({ id, label, hint, items, firstFocus, isAbove, onClose }: MenuProps) {
  const menu = useRef<HTMLDivElement>(null);
  const hintId = useId();
  const elements = () => [
    ...(menu.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? []),
  ];
  useLayoutEffect(() => {
    const frame = menu.current?.parentElement;
    if (!frame) return;
    // In a low window, or a large text, the menu scrolls.
    const { top, bottom } = frame.getBoundingClientRect();
    const space = isAbove ? bottom : innerHeight - top;
    frame.style.setProperty('--menu-space', `${space}px`);
    elements()
      .at(firstFocus === 'first' ? 0 : -1)
      ?.focus();
  }, []);

  function handleKey(event: KeyboardEvent): void {
    // Keys are those of the menu, not of the page.
    event.stopPropagation();
    if (event.key === 'Tab' || event.ctrlKey || event.metaKey || event.altKey) return;
    const all = elements();
    const moved = MOVES.get(event.key)?.(all.indexOf(event.target as HTMLElement), all.length);
    const chosen = items.findIndex(({ key }) => key === latinKey(event));
    if (moved !== undefined) all[moved]?.focus();
    else if (chosen >= 0) all[chosen]?.click();
    else if (event.key === 'Escape') onClose();
    else return;
    event.preventDefault();
  }

  return (
    <div class={isAbove ? 'menu above' : 'menu'}>
      <div
        role="menu"
        id={id}
        ref={menu}
        aria-label={label}
        aria-describedby={hint ? hintId : undefined}
        onKeyDown={handleKey}
      >
        {items.map((item) => (
          <Item item={item} key={item.label} onClose={onClose} />
        ))}
      </div>
      {hint && (
        <p class="menu-hint" id={hintId}>
          {hint}
        </p>
      )}
    </div>
  );
}

function Item({ item, onClose }: { item: MenuItem; onClose(): void }) {
  const { label, icon, key, isDisabled = false } = item;
  const attributes = {
    class: 'menu-item',
    role: 'menuitem',
    tabIndex: -1,
    'aria-disabled': isDisabled,
    // Without the key.
    'aria-label': label,
    'aria-keyshortcuts': key,
  } as const;
  const content = (
    <>
      <Icon name={icon} />
      <span class="menu-label">{label}</span>
      {key && <kbd>{keyName(key)}</kbd>}
    </>
  );
  if ('href' in item) {
    return (
      <a
        {...attributes}
        href={item.href}
        {...(item.isElsewhere && { target: '_blank', rel: 'noreferrer' })}
      >
        {content}
      </a>
    );
  }
  return (
    <button
      type="button"
      {...attributes}
      onClick={() => {
        if (isDisabled) return;
        onClose();
        item.onSelect();
      }}
    >
      {content}
    </button>
  );
}

/** Returns a key as keyboards of the shown language have it. */
export function keyName(key: string): string {
  return key === 'Delete' ? t('key_delete') : key.toUpperCase();
}
