const NAME = 'single-keys';

/** Whether keys without Ctrl do something. Remembered on this device. */
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
