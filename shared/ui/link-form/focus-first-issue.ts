/** Moves the focus to the first invalid field, which may be out of view. */
export function focusFirstIssue(form: HTMLFormElement | null): void {
  const invalid = form?.querySelector<HTMLElement>('[aria-invalid="true"]');
  const closed = invalid?.closest('details');
  if (closed) closed.open = true;
  invalid?.focus();
}
