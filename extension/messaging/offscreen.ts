/** The messages between the background and its offscreen document. */
export const COPY_IN_OFFSCREEN = 'copyInOffscreen';
export type CopyRequest = { kind: typeof COPY_IN_OFFSCREEN; text: string };
export type CopyReply = { copied: boolean };

export function isCopyRequest(message: unknown): message is CopyRequest {
  return (message as CopyRequest | undefined)?.kind === COPY_IN_OFFSCREEN;
}
