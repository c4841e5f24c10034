import { t } from '../../i18n/translate.ts';
import type { LinkRecord } from '../../links/link-record.ts';
import { formatRule, isolate } from './format-rule.ts';

/** Renders the rules of a link in words. */
export function RuleList({ link }: { link: LinkRecord }) {
  const { rules } = link;
  return (
    <section class="card rule-list" aria-labelledby="rules-heading">
      <h2 id="rules-heading">{t('rules_heading')}</h2>
      <ol>
        {rules.map((rule, index) => (
          // Two rules can be alike.
          <li key={index}>{formatRule(rule)}</li>
        ))}
      </ol>
      <p>{t('rule_otherwise', isolate(link.originalUrl))}</p>
    </section>
  );
}
