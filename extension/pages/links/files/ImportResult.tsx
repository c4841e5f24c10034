import { formatNumber } from '../../../../shared/i18n/plural.ts';
import { shownLanguage, t } from '../../../../shared/i18n/translate.ts';
import { Icon } from '../../../../shared/ui/Icon.tsx';
import { errorText } from '../../../i18n/error-text.ts';
import type { EntryIssue } from '../../../links/files/entry.ts';
import type { ImportOutcome } from './files-state.ts';

/** More would push the summary out of view. */
const ISSUES_SHOWN = 20;

export function ImportResult({ outcome }: { outcome: ImportOutcome }) {
  switch (outcome.name) {
    case 'rejected':
      return <ErrorMessage text={t(outcome.code)} />;
    case 'failed': {
      const { title, text } = errorText(outcome.failure);
      return <ErrorMessage text={t('title_and_text', title, text)} />;
    }
    case 'read': {
      const { added, known, outOfSpace, places, issues } = outcome;
      const left = issues.length - ISSUES_SHOWN;
      return (
        <>
          <p>{t('import_done', formatNumber(added), formatNumber(known))}</p>
          {outOfSpace > 0 && <ErrorMessage text={t('import_no_room', formatNumber(outOfSpace))} />}
          {issues.length > 0 && (
            <ErrorMessage text={t('import_left', formatNumber(issues.length))} />
          )}
          <ul class="issues">
            {issues.slice(0, ISSUES_SHOWN).map((issue) => (
              <li key={issue.place}>{issueText(issue, places)}</li>
            ))}
          </ul>
          {left > 0 && <p>{t('import_more', formatNumber(left))}</p>}
        </>
      );
    }
  }
}

function ErrorMessage({ text }: { text: string }) {
  return (
    <p class="import-error">
      <Icon name="alert" />
      {text}
    </p>
  );
}

function issueText({ place, fields }: EntryIssue, places: 'lines' | 'entries'): string {
  const number = formatNumber(place);
  if (fields.length === 0) {
    return t(places === 'lines' ? 'import_line_bad' : 'import_entry_bad', number);
  }
  const names = new Intl.ListFormat(shownLanguage()).format(fields);
  return t(places === 'lines' ? 'import_line_fields' : 'import_entry_fields', number, names);
}
