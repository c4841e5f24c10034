import { foldTag } from '../../../shared/text.ts';
import type { LinkJson } from './link-json.ts';

export function foldedTags({ tags = [] }: Pick<LinkJson, 'tags'>): string[] {
  return tags.map(foldTag);
}
