import { useSignal } from '@preact/signals';
import { type PlainKey, t } from '../../../../shared/i18n/translate.ts';

/**
 * Holds what is typed into a field. Typing clears its issue.
 *
 * @param findIssue returns what the field says about a value that is not valid @default every value is valid
 */
export function useTyped(findIssue: (text: string) => string | undefined = () => undefined) {
  const value = useSignal('');
  const issue = useSignal<string | undefined>(undefined);
  const readText = () => value.value.trim();

  function set(typed: string): void {
    value.value = typed;
    issue.value = undefined;
  }

  return {
    /** For an `InputField`. */
    field: {
      value: value.value,
      issue: issue.value,
      onInput: (event: { currentTarget: { value: string } }) => set(event.currentTarget.value),
    },
    /** Without spaces around it. */
    get text(): string {
      return readText();
    },
    /** Whether it is valid. Otherwise the field says why not. */
    check(): boolean {
      issue.value = findIssue(readText());
      return issue.value === undefined;
    },
    clear: () => set(''),
  };
}

/** For a field that must not stay empty. @param missing what it says then */
export function needed(missing: PlainKey): (text: string) => string | undefined {
  return (text) => (text === '' ? t(missing) : undefined);
}
