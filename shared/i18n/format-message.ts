/** Placeholders by name, in the format of browsers: `{ count: { content: '$1' } }`. */
export type Placeholders = Record<string, { content: string }>;

/**
 * Formats a message as browsers do: `$COUNT$` stands for the placeholder `count`, `$1` for the first
 * substitution, and `$$` for `$`. What has no value is left out.
 */
export function formatMessage(
  message: string,
  placeholders: Placeholders,
  substitutions: string[],
): string {
  return substitute(resolvePlaceholders(message, placeholders), substitutions);
}

/** Replaces `$COUNT$` by the content of the placeholder, such as `$1`. */
export function resolvePlaceholders(message: string, placeholders: Placeholders = {}): string {
  return message.replace(/\$\$|\$(\w+)\$/g, (found, name: string | undefined) =>
    name === undefined ? found : (placeholders[name.toLowerCase()]?.content ?? ''),
  );
}

/** Replaces `$1` to `$9`. Substitutions are not searched again. */
export function substitute(message: string, substitutions: string[]): string {
  return message.replace(/\$(?:\$|([1-9]))/g, (_, place: string | undefined) =>
    place === undefined ? '$' : (substitutions[Number(place) - 1] ?? ''),
  );
}
