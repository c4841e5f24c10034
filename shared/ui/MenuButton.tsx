import { useSignal } from '@preact/signals';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { Icon, type IconName } from './Icon.tsx';

export type MenuItem = {
  label: string;
  icon: IconName;
  /** A disabled item can have the focus, so that a screen reader finds it. @default false */
  isDisabled?: boolean;
  onSelect(): void;
};

export type MenuButtonProps = {
  label: string;
  /** Explains the items, below them. */
  hint?: string;
  items: MenuItem[];
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
export function MenuButton({ label, hint, items }: MenuButtonProps) {
  /** The item with the focus; undefined while the menu is closed. */
  const current = useSignal<number | undefined>(undefined);
  const isOpen = current.value !== undefined;
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const menuId = useId();
  const hintId = useId();
  useLayoutEffect(() => {
    if (current.value === undefined) return;
    menu.current?.querySelectorAll<HTMLElement>('[role=menuitem]')[current.value]?.focus();
  }, [current.value]);

  function close(): void {
    current.value = undefined;
    button.current?.focus();
  }

  function openWithKey(event: KeyboardEvent): void {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    current.value = event.key === 'ArrowDown' ? 0 : items.length - 1;
  }

  function moveWithKey(event: KeyboardEvent): void {
    const move = MOVES.get(event.key);
    if (!move && event.key !== 'Escape') return;
    event.preventDefault();
    if (move) current.value = move(current.value ?? 0, items.length);
    else close();
  }

  return (
    <div
      class="menu-button"
      onFocusOut={({ relatedTarget, currentTarget }) => {
        // Tab and a click elsewhere close the menu and take the focus along.
        if (!currentTarget.contains(relatedTarget as Node | null)) current.value = undefined;
      }}
    >
      <button
        type="button"
        class="button plain"
        ref={button}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? menuId : undefined}
        onKeyDown={openWithKey}
        onClick={() => {
          current.value = isOpen ? undefined : 0;
        }}
      >
        {label}
        <Icon name="chevron" />
      </button>
      {isOpen && (
        <div class="menu">
          <div
            role="menu"
            id={menuId}
            ref={menu}
            aria-label={label}
            aria-describedby={hint ? hintId : undefined}
            onKeyDown={moveWithKey}
          >
            {items.map(({ label, icon, isDisabled = false, onSelect }) => (
              <button
                type="button"
                class="menu-item"
                role="menuitem"
                tabIndex={-1}
                key={label}
                aria-disabled={isDisabled}
                onClick={() => {
                  if (isDisabled) return;
                  close();
                  onSelect();
                }}
              >
                <Icon name={icon} />
                {label}
              </button>
            ))}
          </div>
          {hint && (
            <p class="menu-hint" id={hintId}>
              {hint}
            </p>
          )}
        </div>
      )}
    </div>
  );
}
