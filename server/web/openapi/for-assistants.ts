import type { DeclaredEndpoint } from '../plugins/endpoint.ts';

/** Clients of the Model Context Protocol cut off longer ones. */
const DESCRIPTION_MAX_CHARACTERS = 200;
const TAGS = new Set<string>(['Links', 'Statistics']);

/**
 * Returns the endpoints that an assistant can use as tools: those of links and statistics, without files, and each
 * with the first sentences of its description. Their number stays below what assistants can be given at a time.
 */
export function forAssistants(endpoints: DeclaredEndpoint[]): DeclaredEndpoint[] {
  return endpoints
    .filter(({ endpoint: { tag, otherBody, otherResponse } }) => {
      return TAGS.has(tag) && !otherBody && !otherResponse;
    })
    .map(({ endpoint, ...declared }) => {
      const { description, ...others } = endpoint;
      const start = description === undefined ? '' : firstSentences(description);
      return { ...declared, endpoint: { ...others, ...(start && { description: start }) } };
    });
}

function firstSentences(text: string): string {
  const sentences = text.split(/(?<=\.) /);
  while (sentences.join(' ').length > DESCRIPTION_MAX_CHARACTERS) sentences.pop();
  return sentences.join(' ');
}
