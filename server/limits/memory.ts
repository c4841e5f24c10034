/** The memory of the process, for what makes the data in it larger. */
export type Memory = {
  /** Whether so much is in use that nothing may be added. */
  readonly isFull: boolean;
  /** Whether so many bytes can be used for a while. */
  hasRoomFor(bytes: number): boolean;
};

/** For a store that does not have its links in memory. */
export const ENOUGH_MEMORY: Memory = { isFull: false, hasRoomFor: () => true };
