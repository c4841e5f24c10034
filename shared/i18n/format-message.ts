/** A text in the format of a browser's `_locales/<language>/messages.json`. */
export type Message = {
  /** Contains placeholders by name: `$SERVER$`. */
  message: string;
  /** By name in lower case. The content is the number of a substitution: `$1`. */
  placeholders?: Record<string, { content: string }>;
};

/** Fills the placeholders of a text, as `browser.i18n.getMessage` does in an extension. */
export function formatMessage(
  { message, placeholders = {} }: Message,
  substitutions: readonly string[],
): string {
  return message.replace(/\$(\w+)\$/g, (_, name: string) => {
    const content = placeholders[name.toLowerCase()]?.content ?? '';
    return substitutions[Number(content.slice(1)) - 1] ?? '';
  });
}
