const NAME = 'single-keys';

/**
 * Whether keys do something outside of fields (WCAG 2.2, 2.1.4): in the list, and in the popup, where a letter
 * starts a new alias. Remembered on this device.
 */
export function areKeysOn(): boolean {
  return read() !== 'off';
}

export function setKeysOn(isOn: boolean): void {
  try {
    localStorage.setItem(NAME, isOn ? 'on' : 'off');
  } catch {
    // Storage is forbidden: the setting lasts as long as the page.
    unsaved = isOn ? 'on' : 'off';
  }
}

let unsaved: string | undefined;

function read(): string | null | undefined {
  try {
    return unsaved ?? localStorage.getItem(NAME);
  } catch {
    return unsaved;
  }
}
