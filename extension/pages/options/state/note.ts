import { type Signal, signal } from '@preact/signals';
import { errorText } from '../../../i18n/error-text.ts';
import type { Failure } from '../../../messaging/protocol.ts';

/** What became of the last change in a section. */
export type Note = { words: string; isError: boolean };
export type NoteSignal = Signal<Note | undefined>;

export function createNote(): NoteSignal {
  return signal<Note | undefined>(undefined);
}

export const good = (words: string): Note => ({ words, isError: false });
export const bad = (words: string): Note => ({ words, isError: true });

/** A refusal in whole sentences. */
export function formatForCopy(failure: Failure, serverOrigin?: string): string {
  const { title, text } = errorText(failure, serverOrigin);
  return `${title}. ${text}`;
}
