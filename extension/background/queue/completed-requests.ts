import type { LinkSummary } from '../../links/link.ts';
import { completedRequests } from '../../storage/items.ts';

/** A popup asks again at once, or not at all. */
const COMPLETED_MAX = 20;

/** The link that an ask was answered with, though its answer may not have arrived. */
export async function findCompleted(requestId: string): Promise<LinkSummary | undefined> {
  return (await completedRequests.read()).find((answered) => answered.requestId === requestId)
    ?.link;
}

export async function saveCompleted(requestId: string, link: LinkSummary): Promise<void> {
  await completedRequests.update((others) =>
    [...others, { requestId, link }].slice(-COMPLETED_MAX),
  );
}
