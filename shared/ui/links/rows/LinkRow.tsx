import { useId } from 'preact/hooks';
import { t } from '../../../i18n/translate.ts';
import { readableUrl } from '../../../links/readable-url.ts';
import { keyOf, type ShownLink } from '../../../links/shown-link.ts';
import { LinkEditor } from '../edit/LinkEditor.tsx';
import type { LinksState } from '../state/links-state.ts';
import { LinkFacts } from './LinkFacts.tsx';
import { LinkTags } from './LinkTags.tsx';
import { RowActions } from './RowActions.tsx';

export function LinkRow({ link, state }: { link: ShownLink; state: LinksState }) {
  const id = useId();
  const target = readableUrl(link.originalUrl);
  const { edited } = state.editing;
  const isSelected = state.isSelected(link);
  const isEdited = edited.value ? keyOf(edited.value) === keyOf(link) : false;

  return (
    <article class={`link-row${isSelected ? ' selected' : ''}`}>
      <div class="link-summary">
        <input
          type="checkbox"
          class="select"
          data-control="select"
          id={`${id}-select`}
          aria-label={t('link_select')}
          aria-describedby={`${id}-title`}
          checked={isSelected}
          onChange={(event) => state.select([link], event.currentTarget.checked)}
        />
        <div class="about">
          <div class="line first-line">
            <h2
              class="title"
              id={`${id}-title`}
              dir={link.title ? 'auto' : 'ltr'}
              title={link.title || target}
            >
              {link.title || hostOf(link.originalUrl)}
            </h2>
            <LinkFacts
              link={link}
              nowMs={state.nowMs()}
              statisticsUrl={link.serverState && state.statisticsUrl?.(link)}
            />
          </div>
          <p class="line">
            <a
              class="short-url"
              data-control="open"
              dir="ltr"
              title={link.shortUrl}
              href={link.shortUrl}
              target="_blank"
              rel="noreferrer"
            >
              {link.shortUrl.replace(/^https?:\/\//, '')}
            </a>
            <span class="visually-hidden">{t('target')}</span>
            <bdi class="target" dir="ltr" title={link.originalUrl}>
              {target}
            </bdi>
          </p>
          <LinkTags tags={link.serverState?.tags ?? []} onSelect={(tag) => state.filter({ tag })} />
        </div>
        <RowActions link={link} state={state} titleId={`${id}-title`} />
      </div>
      {isEdited && <LinkEditor state={state.editing} knownTags={state.knownTags.value} />}
    </article>
  );
}

/** A link without a title is named by its host: the whole destination is below. */
function hostOf(url: string): string {
  return URL.parse(url)?.host ?? url;
}
