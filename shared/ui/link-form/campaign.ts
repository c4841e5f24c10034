import { parametersOf, splitUrl } from '../../links/query-parameters.ts';

/** The parameters that analytics tools read, with the names of their fields. */
export const CAMPAIGN_PARAMETERS = [
  ['utm_source', 'campaign_source'],
  ['utm_medium', 'campaign_medium'],
  ['utm_campaign', 'campaign_name'],
  ['utm_term', 'campaign_term'],
  ['utm_content', 'campaign_content'],
] as const;

/** Reads the value of a parameter in the query of a typed URL. Empty if it has none. */
export function readParameter(url: string, name: string): string {
  const { query = '' } = splitUrl(url);
  return parametersOf(query).find((parameter) => parameter.name === name)?.value ?? '';
}

/**
 * Returns the URL with another value of a parameter, or without it. The rest stays as it is, character by
 * character.
 */
export function withParameter(url: string, name: string, value: string): string {
  const { path, query = '', fragment } = splitUrl(url);
  const changed = value && `${name}=${encodeURIComponent(value)}`;
  const parts = query.split('&');
  const index = parts.findIndex((part) => parametersOf(part)[0]?.name === name);
  const all = index < 0 ? [...parts, changed] : parts.with(index, changed);
  const left = all.filter((part) => part !== '').join('&');
  return `${path}${left && `?${left}`}${fragment}`;
}
