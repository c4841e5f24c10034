import type { MadeLink } from '../../messaging/protocol.ts';
import { answeredAsks } from '../../storage/items.ts';

/** A popup asks again at once, or not at all. */
const ANSWERS_KEPT = 20;

/** The link that an ask was answered with, though its answer may not have arrived. */
export async function findAnswer(askId: string): Promise<MadeLink | undefined> {
  return (await answeredAsks.read()).find((answered) => answered.askId === askId)?.link;
}

export async function keepAnswer(askId: string, link: MadeLink): Promise<void> {
  await answeredAsks.update((others) => [...others, { askId, link }].slice(-ANSWERS_KEPT));
}
