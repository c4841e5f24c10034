import { useSignal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Icon, type IconName } from './Icon.tsx';
import { lazy } from './lazy.ts';
import type { MenuItem, Opened } from './Menu.tsx';

type MenuButtonProps = {
  label: string;
  /** Instead of the label, which is then the button's name. */
  icon?: IconName;
  /** Id of an element that says what the menu is about. */
  describedBy?: string;
  /** Explains the items, below them. */
  hint?: string;
  /** None until they are loaded: the menu opens then. */
  items: () => MenuItem[];
};

const Menu = lazy(async () => (await import('./Menu.tsx')).Menu);

/** Renders a button that opens a menu. The focus returns to the button when an item is chosen, or with Escape. */
export function MenuButton({ label, icon, describedBy, hint, items }: MenuButtonProps) {
  /** Undefined while the menu is closed. */
  const opened = useSignal<Opened | undefined>(undefined);
  const shown = opened.value ? items() : [];
  const isOpen = shown.length > 0;
  const button = useRef<HTMLButtonElement>(null);
  const menuId = useId();
  // So that the first click opens it at once. One that failed is tried again when it is opened.
  useEffect(() => void Menu.preload().catch(() => {}), []);

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
      {opened.value && isOpen && (
        <Menu
          id={menuId}
          label={label}
          hint={hint}
          items={shown}
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
