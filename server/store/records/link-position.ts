import { InvalidPositionError } from '../administration.ts';
import type { LinkPosition } from '../link.ts';

/** The place of a link in the list of all accounts' links: `<created> <id>`. */
export function formatPosition({ created, id }: LinkPosition): string {
  return `${created} ${id}`;
}

/** @throws InvalidPositionError if it is of another list */
export function parsePosition(text: string | null): LinkPosition | null {
  if (text === null) return null;
  const [, created, id] = /^(-?\d{1,16}) ([\w-]+)$/.exec(text) ?? [];
  if (created === undefined || id === undefined) throw new InvalidPositionError();
  return { created: Number(created), id };
}
