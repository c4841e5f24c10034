import type { LinkSummary } from '../../links/link.ts';
import { completedRequests } from '../../storage/items.ts';

/** A popup repeats a message immediately or never, so a few are enough. */
const COMPLETED_MAX = 20;

/** The link that a request created, even if its response got lost. */
export async function findCompleted(requestId: string): Promise<LinkSummary | undefined> {
  return (await completedRequests.read()).find((completed) => completed.requestId === requestId)
    ?.link;
}

export async function saveCompleted(requestId: string, link: LinkSummary): Promise<void> {
  await completedRequests.update((others) =>
    [...others, { requestId, link }].slice(-COMPLETED_MAX),
  );
}
