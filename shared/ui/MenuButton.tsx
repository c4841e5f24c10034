import { useSignal } from '@preact/signals';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { Icon, type IconName } from './Icon.tsx';
import { latinKey } from './latin-key.ts';

type ItemFace = {
  label: string;
  icon: IconName;
  /** The key that does the same without the menu, as `KeyboardEvent.key` has it. */
  key?: string;
  /** A disabled item can have the focus, so that a screen reader finds it. @default false */
  isDisabled?: boolean;
};
export type MenuAction = ItemFace & { onSelect(): void };
export type MenuItem = MenuAction | (ItemFace & { href: string });

export type MenuButtonProps = {
  label: string;
  /** Instead of the label, which is then the button's name. */
  icon?: IconName;
  /** Id of an element that says what the menu is about. */
  describedBy?: string;
  /** Explains the items, below them. */
  hint?: string;
  items: () => MenuItem[];
};

type Opened = {
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

/** A button that opens a menu. The focus returns to the button when an item is chosen, or with Escape. */
export function MenuButton({ label, icon, describedBy, hint, items }: MenuButtonProps) {
  /** Undefined while the menu is closed. */
  const opened = useSignal<Opened | undefined>(undefined);
  const isOpen = opened.value !== undefined;
  const button = useRef<HTMLButtonElement>(null);
  const menuId = useId();

  function open(firstFocus: Opened['firstFocus']): void {
    const { top, bottom } = button.current?.getBoundingClientRect() ?? { top: 0, bottom: 0 };
    // Menus open downwards where most of them fit.
    const below = innerHeight - bottom;
    opened.value = { firstFocus, isAbove: below < innerHeight * 0.4 && below < top };
  }

  function openWithKey(event: KeyboardEvent): void {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    open(event.key === 'ArrowDown' ? 'first' : 'last');
  }

  return (
    <div
      class="menu-button"
      onFocusOut={({ relatedTarget, currentTarget }) => {
        // Tab and a click elsewhere close the menu and take the focus along.
        if (!currentTarget.contains(relatedTarget as Node | null)) opened.value = undefined;
      }}
    >
      <button
        type="button"
        class={icon ? 'button square' : 'button plain'}
        ref={button}
        data-control="menu"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? menuId : undefined}
        aria-label={icon && label}
        aria-describedby={describedBy}
        title={icon && label}
        // In a list, these keys move from row to row.
        onKeyDown={icon ? undefined : openWithKey}
        onClick={() => {
          if (isOpen) opened.value = undefined;
          else open('first');
        }}
      >
        {!icon && label}
        <Icon name={icon ?? 'chevron'} />
      </button>
      {opened.value && (
        <Menu
          id={menuId}
          label={label}
          hint={hint}
          items={items()}
          {...opened.value}
          onClose={() => {
            opened.value = undefined;
            button.current?.focus();
          }}
        />
      )}
    </div>
  );
}

type MenuProps = {
  id: string;
  label: string;
  hint: string | undefined;
  items: MenuItem[];
  onClose(): void;
} & Opened;

function Menu({ id, label, hint, items, firstFocus, isAbove, onClose }: MenuProps) {
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
      <a {...attributes} href={item.href}>
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

/** A key as keyboards have it. */
export function keyName(key: string): string {
  return key === 'Delete' ? 'Del' : key.toUpperCase();
}
