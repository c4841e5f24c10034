import type { Limit, Limits } from '../../../../shared/client.ts';
import { formatReset } from '../../../i18n/format-time.ts';
import { formatLeft } from '../../../i18n/plural.ts';
import { t } from '../../../i18n/translate.ts';
import { Icon } from '../../../ui/Icon.tsx';

export type LimitsProps = {
  limits: Limits;
  /** Whether the line above says when it goes on: one countdown is enough. */
  isRetryShown: boolean;
};

/** What is left of the minute and of the month, and when each begins anew. */
export function RemainingLimits({ limits: { rate, quota }, isRetryShown }: LimitsProps) {
  const hidesReset = ({ remaining }: Limit) => isRetryShown && remaining === 0;
  return (
    <dl class="budgets">
      {rate && <BudgetRow name={t('limit_minute')} budget={rate} hidesReset={hidesReset(rate)} />}
      {quota && <BudgetRow name={t('limit_month')} budget={quota} hidesReset={hidesReset(quota)} />}
    </dl>
  );
}

type BudgetRowProps = { name: string; budget: Limit; hidesReset: boolean };

function BudgetRow({ name, budget, hidesReset }: BudgetRowProps) {
  const { resetsInSeconds } = budget;
  return (
    <div class="budget">
      <dt>{name}</dt>
      <dd>{t('limit_left', ...formatLeft(budget))}</dd>
      {resetsInSeconds > 0 && !hidesReset && (
        <dd class="reset">
          <Icon name="renew" />
          <span class="unseen">{t('limit_resets')} </span>
          {formatReset(resetsInSeconds)}
        </dd>
      )}
    </div>
  );
}
