/**
 * Runs an action that may remove the clicked control. If nothing has the focus then, it returns to the
 * control, or moves to the heading of its section, or of the page, if the control is gone.
 */
export async function restoreFocusAfter(
  control: HTMLElement | null,
  act: () => Promise<unknown>,
): Promise<void> {
  const heading =
    control?.closest('section')?.querySelector('h2') ?? document.getElementById('page-heading');
  await act();
  requestAnimationFrame(() => {
    const isFree = document.activeElement === null || document.activeElement === document.body;
    if (isFree) (control?.isConnected ? control : heading)?.focus();
  });
}
