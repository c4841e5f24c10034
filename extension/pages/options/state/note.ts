import { type Signal, signal } from '@preact/signals';
import { t } from '../../../../shared/i18n/translate.ts';
import { errorText } from '../../../i18n/error-text.ts';
import type { Failure } from '../../../messaging/protocol.ts';

/** The result of the last change in a section. */
export type Note = { text: string; isError: boolean };
export type NoteSignal = Signal<Note | undefined>;

export function createNote(): NoteSignal {
  return signal<Note | undefined>(undefined);
}

export const success = (text: string): Note => ({ text, isError: false });
export const error = (text: string): Note => ({ text, isError: true });

/** A failure as full sentences. */
export function failureText(failure: Failure, serverOrigin?: string): string {
  const { title, text } = errorText(failure, serverOrigin);
  return t('title_and_text', title, text);
}
