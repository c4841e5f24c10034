/** Moves the focus to the first invalid field, which may be out of view. */
export function focusFirstIssue(form: HTMLFormElement | null): void {
  const invalid = form?.querySelector<HTMLElement>('[aria-invalid="true"]');
  let closed = invalid?.closest<HTMLDetailsElement>('details:not([open])');
  while (closed) {
    closed.open = true;
    closed = closed.closest<HTMLDetailsElement>('details:not([open])');
  }
  invalid?.focus();
}
