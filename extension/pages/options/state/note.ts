import { type Signal, signal } from '@preact/signals';
import { explain } from '../../../i18n/error-text.ts';
import type { Refusal } from '../../../messaging/protocol.ts';

/** What became of the last change in a section. */
export type Note = { words: string; isBad: boolean };
export type NoteSignal = Signal<Note | undefined>;

export function createNote(): NoteSignal {
  return signal<Note | undefined>(undefined);
}

export const good = (words: string): Note => ({ words, isBad: false });
export const bad = (words: string): Note => ({ words, isBad: true });

/** A refusal in whole sentences. */
export function wordsFor(refusal: Refusal, serverOrigin?: string): string {
  const { title, text } = explain(refusal, serverOrigin);
  return `${title}. ${text}`;
}
