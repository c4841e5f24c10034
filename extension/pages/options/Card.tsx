import type { ComponentChildren } from 'preact';
import type { Note } from './note.ts';

export type CardProps = {
  /** For ids: unique on the page. */
  name: string;
  heading: string;
  intro?: string;
  /** Announced when it changes. */
  note?: Note | undefined;
  children: ComponentChildren;
};

/** Renders a section of the settings. Its heading takes the focus when the focused control disappears. */
export function Card({ name, heading, intro, note, children }: CardProps) {
  return (
    <section class="card" aria-labelledby={`${name}-heading`}>
      <div class="card-head">
        <h2 id={`${name}-heading`} tabIndex={-1}>
          {heading}
        </h2>
        <p class={note?.isError ? 'note error' : 'note'} role="status">
          {note?.text}
        </p>
      </div>
      {intro && <p class="intro">{intro}</p>}
      <div class="rows">{children}</div>
    </section>
  );
}
