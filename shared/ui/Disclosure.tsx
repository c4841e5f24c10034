import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { Icon, type IconName } from './Icon.tsx';

type DisclosureProps = {
  label: string;
  /** What is set in it, while it is closed. */
  summary?: string;
  /** @default a chevron, which turns */
  icon?: IconName;
  /** Opens it. It stays open when this becomes false, as it does while somebody empties a field. */
  isOpen?: boolean;
  /** A function is called once it is open, for what need not be loaded before. */
  children: ComponentChildren | (() => ComponentChildren);
};

/** Renders a part of a form that is shown on demand. */
export function Disclosure({
  label,
  summary,
  icon = 'chevron',
  isOpen = false,
  children,
}: DisclosureProps) {
  const wasOpened = useSignal(false);
  const opens = useRef(false);
  opens.current ||= isOpen;
  const isRendered = opens.current || wasOpened.value;
  return (
    <details
      class="advanced"
      open={opens.current}
      onToggle={() => {
        wasOpened.value = true;
      }}
    >
      <summary>
        <Icon name={icon} />
        <span>{label}</span>
        {summary && (
          <span class="set" title={summary}>
            {summary}
          </span>
        )}
      </summary>
      <div class="advanced-fields">
        {typeof children === 'function' ? isRendered && children() : children}
      </div>
    </details>
  );
}
