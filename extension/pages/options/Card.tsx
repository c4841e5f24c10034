import type { ComponentChildren } from 'preact';
import type { Note } from './state/note.ts';

export type CardProps = {
  /** For ids; one of its own on the page. */
  name: string;
  heading: string;
  intro?: string;
  /** Announced when it changes. */
  note?: Note | undefined;
  children: ComponentChildren;
};

/** A section of the settings. Its heading takes the focus where a control that had it goes away. */
export function Card({ name, heading, intro, note, children }: CardProps) {
  return (
    <section class="card" aria-labelledby={`${name}-heading`}>
      <div class="card-head">
        <h2 id={`${name}-heading`} tabIndex={-1}>
          {heading}
        </h2>
        <p class={note?.isError ? 'note bad' : 'note'} role="status">
          {note?.words}
        </p>
      </div>
      {intro && <p class="intro">{intro}</p>}
      <div class="rows">{children}</div>
    </section>
  );
}
