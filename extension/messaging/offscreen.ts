/** What the background and its offscreen document say to each other. */
export const COPY_IN_OFFSCREEN = 'copyInOffscreen';
export type CopyAsk = { kind: typeof COPY_IN_OFFSCREEN; text: string };
export type CopyReply = { copied: boolean };

export function isCopyAsk(message: unknown): message is CopyAsk {
  return (message as CopyAsk | undefined)?.kind === COPY_IN_OFFSCREEN;
}
