import { config } from 'zod';
import type { ApiClientOptions } from '../../../shared/api/client.ts';
import { type Client, createClient, type Failure } from '../../../shared/client.ts';

import { failureSentences, failureText } from '../../../shared/i18n/failure-text.ts';
import { linkFailureText } from '../../../shared/ui/links/link-failure-text.ts';

/** Loads the client in a chunk of its own, since zod is larger than the rest of the dashboard. */
export function newClient(options: ApiClientOptions): Client {
  // The content security policy forbids the compiler of zod, which would even be reported.
  config({ jitless: true });
  return createClient(options);
}

/** Returns what went wrong with links, in the shown language. */
export function explainLinkFailure(failure: Failure, origin: string): string {
  return linkFailureText(failure.code) ?? failureSentences(failureText(failure, origin));
}
