import { InvalidPositionError } from '../../administration.ts';

/** Reads a position: the number of the last row of a page. @throws InvalidPositionError */
export function numberOfPosition(position: string): number {
  if (!/^\d{1,15}$/.test(position)) throw new InvalidPositionError();
  return Number(position);
}
