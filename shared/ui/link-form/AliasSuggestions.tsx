import { t } from '../../i18n/translate.ts';

export type AliasSuggestionsProps = {
  /** The suggestions of the failed request, if it has any. */
  aliases: string[] | undefined;
  buttonClass: string;
  onChoose: (alias: string) => void;
};

/** Free aliases instead of one that is taken. */
export function AliasSuggestions({ aliases = [], buttonClass, onChoose }: AliasSuggestionsProps) {
  if (aliases.length === 0) return null;
  return (
    <fieldset class="suggestions" aria-label={t('available_aliases')}>
      {aliases.map((alias) => (
        <button
          type="button"
          class={buttonClass}
          key={alias}
          aria-label={t('use_alias', alias)}
          onClick={() => onChoose(alias)}
        >
          {alias}
        </button>
      ))}
    </fieldset>
  );
}
