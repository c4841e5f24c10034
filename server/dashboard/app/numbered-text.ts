/** A text with the number of each substitution: `$1` of `$2` left. */
export type NumberedText = string;

/** Replaces the names of placeholders by numbers, so that the texts alone are enough: `$LEFT$` by `$1`. */
export function numberPlaceholders(
  message: string,
  placeholders: Record<string, { content: string }> = {},
): NumberedText {
  return message.replace(
    /\$(\w+)\$/g,
    (_, name: string) => placeholders[name.toLowerCase()]?.content ?? '',
  );
}

/** Fills in the substitutions, which are not searched again. */
export function fillIn(text: NumberedText, substitutions: readonly string[]): string {
  return text.replace(/\$([1-9])/g, (_, place: string) => substitutions[Number(place) - 1] ?? '');
}
