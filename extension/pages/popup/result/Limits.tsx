import type { Budget, Limits } from '../../../../shared/client.ts';
import { formatReset } from '../../../i18n/format-time.ts';
import { formatLeft } from '../../../i18n/plural.ts';
import { t } from '../../../i18n/translate.ts';
import { Icon } from '../../../ui/Icon.tsx';

/** What is left of the minute and of the month, and when each begins anew. */
export function Budgets({ limits }: { limits: Limits }) {
  return (
    <dl class="budgets">
      {limits.rate && <BudgetRow name={t('budget_minute')} budget={limits.rate} />}
      {limits.quota && <BudgetRow name={t('budget_month')} budget={limits.quota} />}
    </dl>
  );
}

function BudgetRow({ name, budget }: { name: string; budget: Budget }) {
  const { resetsInSeconds } = budget;
  return (
    <div class="budget">
      <dt>{name}</dt>
      <dd>{t('budget_left', ...formatLeft(budget))}</dd>
      {resetsInSeconds > 0 && (
        <dd class="reset">
          <Icon name="renew" />
          <span class="unseen">{t('budget_resets')} </span>
          {formatReset(resetsInSeconds)}
        </dd>
      )}
    </div>
  );
}
