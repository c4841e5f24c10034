import { useId } from 'preact/hooks';
import { formatDate, formatShortDay } from '../../../i18n/format-time.ts';
import { formatCount, formatNumber } from '../../../i18n/plural.ts';
import { t } from '../../../i18n/translate.ts';
import { readableUrl } from '../../../links/readable-url.ts';
import type { ServerState, ShownLink } from '../../../links/shown-link.ts';
import type { LinksState } from '../state/links-state.ts';
import { HostInitial } from './HostInitial.tsx';
import { LinkFacts } from './LinkFacts.tsx';
import { LinkTags } from './LinkTags.tsx';
import { RowActions } from './RowActions.tsx';
import { Sparkline } from './Sparkline.tsx';

/** All rows have the same height: what does not fit is in a title or in the form. */
export function LinkRow({ link, state }: { link: ShownLink; state: LinksState }) {
  const id = useId();
  const { title, shortUrl, originalUrl, created, serverState, visits30 } = link;
  const target = readableUrl(originalUrl);
  const host = target.replace(/[/?#].*/, '');
  // A link without a title is named by its host, which is not repeated.
  const shownTarget = title ? target : target.slice(host.length).replace(/^\/$/, '');
  const statisticsUrl = serverState && state.statisticsUrl?.(link);
  const isSelected = state.isSelected(link);

  return (
    <article class={`link-row${isSelected ? ' selected' : ''}`}>
      <input
        type="checkbox"
        class="select"
        data-control="select"
        id={`${id}-select`}
        aria-label={t('link_select')}
        aria-describedby={`${id}-title`}
        checked={isSelected}
        aria-disabled={state.loading.isOutdated.value}
        onClick={(event) => {
          if (state.loading.isOutdated.value) event.preventDefault();
        }}
        onChange={(event) => state.select([link], event.currentTarget.checked)}
      />
      <HostInitial host={host} />
      <h2 class="title" id={`${id}-title`} dir={title ? 'auto' : 'ltr'} title={title || target}>
        {title || host}
      </h2>
      <LinkFacts link={link} nowMs={state.nowMs()} />
      <div class="link-line">
        <a
          class="short-url"
          data-control="open"
          dir="ltr"
          title={shortUrl}
          href={shortUrl}
          target="_blank"
          rel="noreferrer"
        >
          {shortUrl.replace(/^https?:\/\//, '')}
        </a>
        {shownTarget && (
          <>
            <span class="visually-hidden">{t('target')}</span>
            <bdi class="target" dir="ltr" title={originalUrl}>
              {shownTarget}
            </bdi>
          </>
        )}
        <LinkTags tags={serverState?.tags ?? []} onSelect={(tag) => state.filter({ tag })} />
      </div>
      {visits30?.some((people) => people > 0) && <Sparkline days={visits30} />}
      <div class="link-visits">
        <time dateTime={created} title={formatDate(created)}>
          {formatShortDay(created)}
        </time>
        {statisticsUrl ? (
          <a href={statisticsUrl} data-control="statistics" title={t('link_statistics')}>
            {visitsText(serverState)}
          </a>
        ) : (
          serverState && <span>{visitsText(serverState)}</span>
        )}
      </div>
      <RowActions link={link} state={state} titleId={`${id}-title`} />
    </article>
  );
}

function visitsText({ hits = 0, maxVisits }: ServerState): string {
  if (maxVisits === undefined) return formatCount('link_visits', hits);
  return t('link_visits_of', formatNumber(hits), formatCount('link_visits', maxVisits));
}
