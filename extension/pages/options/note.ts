import { type Signal, signal } from '@preact/signals';
import { failureSentences } from '../../../shared/i18n/failure-text.ts';
import { errorText } from '../../i18n/error-text.ts';
import type { Failure } from '../../messaging/protocol.ts';

/** The result of the last change in a section. */
export type Note = { text: string; isError: boolean };
export type NoteSignal = Signal<Note | undefined>;

export function createNote(): NoteSignal {
  return signal<Note | undefined>(undefined);
}

export const success = (text: string): Note => ({ text, isError: false });
export const error = (text: string): Note => ({ text, isError: true });

/** Returns a failure as full sentences. */
export function failureText(failure: Failure, serverOrigin?: string): string {
  return failureSentences(errorText(failure, serverOrigin));
}

/** Returns how a change went. @param text if it is done */
export function noteOf(answer: { ok: true } | Failure, text: string, serverOrigin?: string): Note {
  return answer.ok ? success(text) : error(failureText(answer, serverOrigin));
}
