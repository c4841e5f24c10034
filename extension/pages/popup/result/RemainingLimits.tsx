import type { Limit, Limits } from '../../../../shared/client.ts';
import { formatReset } from '../../../../shared/i18n/format-time.ts';
import { formatLeft } from '../../../../shared/i18n/plural.ts';
import { t } from '../../../../shared/i18n/translate.ts';
import { Icon } from '../../../../shared/ui/Icon.tsx';

export type RemainingLimitsProps = {
  limits: Limits;
  /** Whether the status line says when to retry: one countdown is enough. */
  isRetryShown: boolean;
};

/** How much of the rate limit and of the monthly quota is left, and when each resets. */
export function RemainingLimits({ limits: { rate, quota }, isRetryShown }: RemainingLimitsProps) {
  const hidesReset = ({ remaining }: Limit) => isRetryShown && remaining === 0;
  return (
    <dl class="limits">
      {rate && <LimitRow name={t('limit_minute')} limit={rate} hidesReset={hidesReset(rate)} />}
      {quota && <LimitRow name={t('limit_month')} limit={quota} hidesReset={hidesReset(quota)} />}
    </dl>
  );
}

type LimitRowProps = { name: string; limit: Limit; hidesReset: boolean };

function LimitRow({ name, limit, hidesReset }: LimitRowProps) {
  const { resetsInSeconds } = limit;
  return (
    <div class="limit">
      <dt>{name}</dt>
      <dd>{t('limit_left', ...formatLeft(limit))}</dd>
      {resetsInSeconds > 0 && !hidesReset && (
        <dd class="reset">
          <Icon name="renew" />
          <span class="visually-hidden">{t('limit_resets')} </span>
          {formatReset(resetsInSeconds)}
        </dd>
      )}
    </div>
  );
}
