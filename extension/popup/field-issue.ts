import { t } from '../i18n.ts';
import type { FieldIssue } from './form-fields.ts';

/** The server writes English; readers of other languages have it read out as such. */
export function issueProps(issue: FieldIssue | undefined) {
  if (!issue) return {};
  return 'key' in issue ? { issue: t(issue.key) } : { issue: issue.sentence, issueLanguage: 'en' };
}
