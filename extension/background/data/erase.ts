import { eraseStorage } from '../../storage/erase.ts';
import { planRetries } from '../queue/retry-alarm.ts';

/** Deletes tokens, links, pending requests and quarantined values, but not the settings. */
export async function eraseData(): Promise<void> {
  await eraseStorage();
  // Clears the alarm.
  await planRetries();
}
