import type { ComponentChildren } from 'preact';
import { Icon } from '../../../shared/ui/Icon.tsx';
import type { WelcomeState } from './welcome-state.ts';

export type CopyLineProps = {
  state: WelcomeState;
  text: string;
  /** The button's label. */
  label: string;
  /** The text as displayed. */
  children: ComponentChildren;
};

/** A text with a button that copies it, and the result. */
export function CopyLine({ state, text, label, children }: CopyLineProps) {
  return (
    <div class="copy-line">
      {children}
      <button type="button" class="button" onClick={() => state.copyText(text)}>
        <Icon name="copy" />
        {label}
      </button>
      <span class="note" role="status">
        {state.copyNote(text)}
      </span>
    </div>
  );
}
