/**
 * Does something for which the control that was pressed may go away. The focus then is on it where
 * it is still there, else on the heading of its section.
 */
export async function keepFocus(
  control: HTMLElement | null,
  act: () => Promise<unknown>,
): Promise<void> {
  const heading = control?.closest('section')?.querySelector('h2');
  await act();
  requestAnimationFrame(() => {
    (control?.isConnected ? control : heading)?.focus();
  });
}
