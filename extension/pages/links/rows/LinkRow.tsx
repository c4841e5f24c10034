import { useId } from 'preact/hooks';
import { t } from '../../../../shared/i18n/translate.ts';
import { Icon } from '../../../../shared/ui/Icon.tsx';
import type { ListedLink } from '../../../links/link.ts';
import { readableUrl } from '../../../links/readable-url.ts';
import type { LinksState } from '../links-state.ts';
import { LinkFacts } from './LinkFacts.tsx';

export function LinkRow({ link, state }: { link: ListedLink; state: LinksState }) {
  const id = useId();
  const target = readableUrl(link.originalUrl);
  const copied = state.copied.value;
  const isCopied = copied?.shortUrl === link.shortUrl && copied.isCopied;
  /** Labels a button with its own name and the link's title. */
  const named = (name: string) => ({
    id: `${id}-${name}`,
    'aria-labelledby': `${id}-${name} ${id}-title`,
  });

  return (
    <article class="link-row">
      <div class="about">
        <div class="line">
          <h2
            class="title"
            id={`${id}-title`}
            dir={link.title ? 'auto' : 'ltr'}
            title={link.title || target}
          >
            {link.title || target}
          </h2>
          <LinkFacts link={link} nowMs={state.nowMs()} />
        </div>
        <p class="line">
          <a
            class="short-url"
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
      </div>
      <div class="row-actions">
        <button
          type="button"
          class="button square"
          {...named('copy')}
          aria-label={t('copy')}
          title={t('copy')}
          onClick={() => state.copyLink(link)}
        >
          <Icon name={isCopied ? 'check' : 'copy'} />
        </button>
        <button
          type="button"
          class="button square"
          {...named('qr')}
          aria-label={t('qr_code')}
          title={t('qr_code')}
          onClick={() => state.showQr(link)}
        >
          <Icon name="qr" />
        </button>
        <button
          type="button"
          class="button square"
          {...named('remove')}
          aria-label={t('link_remove')}
          title={t('link_remove')}
          onClick={() => state.remove(link)}
        >
          <Icon name="remove" />
        </button>
      </div>
    </article>
  );
}
