import { useId } from 'preact/hooks';
import { formatList } from '../../../i18n/format-list.ts';
import { formatDate, formatShortDay } from '../../../i18n/format-time.ts';
import { formatCount, formatNumber } from '../../../i18n/plural.ts';
import { t } from '../../../i18n/translate.ts';
import { withoutProtocol } from '../../../links/link-address.ts';
import type { LinkRecord } from '../../../links/link-record.ts';
import { readableUrl } from '../../../links/readable-url.ts';
import { Icon } from '../../Icon.tsx';
import { MenuButton } from '../../MenuButton.tsx';
import { listTools } from '../list-tools.ts';
import type { LinksState } from '../state/links-state.ts';
import { LinkFacts } from './LinkFacts.tsx';

/** All rows have the same height: what does not fit is in a title or in the form. */
export function LinkRow({ link, state }: { link: LinkRecord; state: LinksState }) {
  const id = useId();
  const { shortUrl, originalUrl, created, visits30 } = link;
  const title = link.title || link.label;
  const target = readableUrl(originalUrl);
  const host = target.replace(/[/?#].*/, '');
  // A link without a title is named by its host, which is not repeated.
  const shownTarget = title ? target : target.slice(host.length).replace(/^\/$/, '');
  const statisticsUrl = state.statisticsUrl?.(link);
  const isSelected = state.isSelected(link);
  const status = link.status;

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
          const { checked } = event.currentTarget;
          if (state.loading.isOutdated.value) event.preventDefault();
          else if (event.shiftKey) state.selectTo(link, checked);
          else state.select([link], checked);
        }}
      />
      <HostInitial host={host} />
      <h2 class="title" id={`${id}-title`} dir={title ? 'auto' : 'ltr'} title={title || target}>
        {status === 'deleted' ? (
          title || host
        ) : (
          <button type="button" data-control="open" onClick={() => state.edit(link)}>
            {title || host}
          </button>
        )}
      </h2>
      <LinkFacts link={link} nowMs={state.nowMs()} />
      <div class="link-line">
        {/* Not a link: a click would be a visit. */}
        <bdi class="short-url" dir="ltr" title={shortUrl}>
          {withoutProtocol(shortUrl)}
        </bdi>
        {shownTarget && (
          <>
            <span class="visually-hidden">{t('target')}</span>
            <bdi class="target" dir="ltr" title={originalUrl}>
              {shownTarget}
            </bdi>
          </>
        )}
        <LinkTags tags={link.tags} onSelect={(tag) => state.filter({ tag })} />
      </div>
      {visits30 && sumOf(visits30) >= SPARKLINE_VISITS && (
        <Sparkline days={visits30} most={state.busiestDay.value} />
      )}
      <div class="link-visits">
        <time dateTime={created} title={formatDate(created)}>
          {formatShortDay(created)}
        </time>
        {statisticsUrl ? (
          <a href={statisticsUrl} data-control="statistics" title={t('link_statistics')}>
            {visitsText(link)}
          </a>
        ) : (
          <span>{visitsText(link)}</span>
        )}
      </div>
      <RowActions link={link} state={state} titleId={`${id}-title`} />
    </article>
  );
}

function visitsText({ hits, maxVisits }: LinkRecord): string {
  if (maxVisits === null) return formatCount('link_visits', hits);
  return formatCount('link_visits_of', maxVisits, formatNumber(hits));
}

type RowActionsProps = {
  link: LinkRecord;
  state: LinksState;
  /** Id of the element with the link's title. */
  titleId: string;
};

function RowActions({ link, state, titleId }: RowActionsProps) {
  const id = useId();
  const copied = state.copied.value;
  const isCopied = copied?.shortUrl === link.shortUrl && copied.isCopied;
  return (
    <div class="row-actions">
      {link.status !== 'deleted' && (
        <button
          type="button"
          class="button square"
          id={`${id}-copy`}
          data-control="copy"
          // Its own name and the link's title.
          aria-labelledby={`${id}-copy ${titleId}`}
          aria-label={t('copy')}
          title={t('copy')}
          onClick={() => state.copyLink(link)}
        >
          <Icon name={isCopied ? 'check' : 'copy'} />
        </button>
      )}
      <MenuButton
        label={t('bulk_actions')}
        icon="more"
        describedBy={titleId}
        items={() => listTools.loaded.value?.rowActions(link, state) ?? []}
      />
    </div>
  );
}

type LinkTagsProps = { tags: string[]; onSelect: (tag: string) => void };

/** As many as fit into a row. */
const SHOWN = 2;

/** A click on a tag shows the links that have it. */
function LinkTags({ tags, onSelect }: LinkTagsProps) {
  if (tags.length === 0) return null;
  const more = tags.slice(SHOWN);
  return (
    <ul class="link-tags" aria-label={t('field_tags')}>
      {tags.slice(0, SHOWN).map((tag) => (
        <li key={tag}>
          <button
            type="button"
            class="tag"
            dir="auto"
            data-control={`tag-${tag}`}
            aria-label={t('tag_filter', tag)}
            title={tag}
            onClick={() => onSelect(tag)}
          >
            {tag}
          </button>
        </li>
      ))}
      {more.length > 0 && (
        <li class="more-tags" dir="ltr" title={formatList(more)}>
          +{formatNumber(more.length)}
        </li>
      )}
    </ul>
  );
}

/** On a grid of one unit a day. */
const HEIGHT = 20;

/** Fewer make no line that says anything. */
const SPARKLINE_VISITS = 20;

function sumOf(days: number[]): number {
  return days.reduce((sum, people) => sum + people, 0);
}

/**
 * Visitors of the last 30 days as a line, on one scale for all links. Decorative: the number of visits is beside it.
 */
function Sparkline({ days, most }: { days: number[]; most: number }) {
  const points = days.map((people, day) => `${day},${HEIGHT - (people / most) * HEIGHT}`);
  return (
    <svg
      class="sparkline"
      viewBox={`0 -1 ${days.length - 1} ${HEIGHT + 2}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <polyline points={points.join(' ')} />
    </svg>
  );
}

/** `--color-host-1` to `--color-host-8` in `rows.css`. */
const COLORS = 8;

/** Stands for the icon of a site, which would be a request: the first letter of its host, in one color. */
function HostInitial({ host }: { host: string }) {
  const name = host.replace(/^www\./, '');
  let hash = 0;
  for (const character of name) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 65_521;
  const [initial = ''] = name;
  return (
    <span
      class="host-initial"
      style={{ '--color-host': `var(--color-host-${(hash % COLORS) + 1})` }}
      aria-hidden="true"
    >
      {initial.toUpperCase()}
    </span>
  );
}
