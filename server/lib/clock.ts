/** @returns milliseconds since the epoch */
export type Clock = () => number;
