import { useId } from 'preact/hooks';
import type { Overview, OverviewCounts } from '../../../../shared/admin/server.ts';
import { formatNumber } from '../../../../shared/i18n/plural.ts';
import { formatTag, type PlainKey, t } from '../../../../shared/i18n/translate.ts';
import { FailureNote } from '../../../../shared/ui/FailureNote.tsx';
import type { AdminPageProps } from '../admin.ts';
import { useData } from '../parts/actions.tsx';
import { Facts } from '../parts/Facts.tsx';

const KINDS: [kind: keyof OverviewCounts, title: PlainKey, page?: string][] = [
  ['links', 'admin_new_links', '/links'],
  ['visits', 'visits_people'],
  ['accounts', 'admin_new_accounts', '/accounts'],
  ['reports', 'admin_reports', '/reports'],
];

/** Renders what happened on the last days. */
export function OverviewPage({ admin }: AdminPageProps) {
  const { data, failure, refresh } = useData(admin, (client) => client.adminGetOverview());
  const overview = data.value;
  return (
    <>
      <FailureNote failure={failure.value} onRetry={refresh} />
      {overview && (
        <>
          <div class="overview">
            {KINDS.map(([kind, title, page]) => (
              <Card
                key={kind}
                title={t(title)}
                url={page && `/dashboard/admin${page}`}
                kind={kind}
                overview={overview}
              />
            ))}
          </div>
          <p class="hint">{t('admin_overview_hint')}</p>
        </>
      )}
    </>
  );
}

type CardProps = {
  title: string;
  /** The page with what is counted. */
  url: string | undefined;
  kind: keyof OverviewCounts;
  overview: Overview;
};

function Card({ title, url, kind, overview }: CardProps) {
  const id = useId();
  const { today, yesterday, week, weekBefore } = overview;
  return (
    <section class="card" aria-labelledby={id}>
      <h2 id={id}>{url ? <a href={url}>{title}</a> : title}</h2>
      <Days days={overview.days} kind={kind} />
      <Facts
        facts={[
          [t('admin_yesterday'), formatNumber(yesterday[kind])],
          [t('range_7_days'), formatNumber(week[kind])],
          [t('admin_week_before'), formatNumber(weekBefore[kind])],
          [t('admin_today'), formatNumber(today[kind])],
        ]}
      />
    </section>
  );
}

/** A column for each day, with its date and number on pointing at it. The numbers that matter are below. */
function Days({ days, kind }: Pick<CardProps, 'kind'> & Pick<Overview, 'days'>) {
  const isMirrored = t('text_direction') === 'rtl';
  const top = Math.max(1, ...days.map((day) => day[kind]));
  const width = 100 / days.length;
  const format = new Intl.DateTimeFormat(formatTag(), { dateStyle: 'medium', timeZone: 'UTC' });
  return (
    <svg class="overview-days" aria-hidden="true">
      {days.map((day, index) => {
        const height = (day[kind] / top) * 100;
        const column = isMirrored ? days.length - 1 - index : index;
        return (
          <rect
            key={day.start}
            x={`${column * width + width * 0.12}%`}
            y={`${100 - height}%`}
            width={`${width * 0.76}%`}
            height={`${height}%`}
          >
            <title>
              {t('label_of', format.format(new Date(day.start)), formatNumber(day[kind]))}
            </title>
          </rect>
        );
      })}
      <line x1="0" x2="100%" y1="100%" y2="100%" />
    </svg>
  );
}
