/** The settings are invalid. The message is meant for the operator. */
export class SettingsError extends Error {
  override name = 'SettingsError';
}
