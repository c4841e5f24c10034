import { useSignal } from '@preact/signals';
import { t } from '../../i18n/translate.ts';
import { withoutProtocol } from '../../links/link-address.ts';
import type { LinkRecord } from '../../links/link-record.ts';
import { copyFromPage } from '../copy-text.js';
import { Icon } from '../Icon.tsx';
import { lazy } from '../lazy.ts';
import { lastUrlOf } from './last-url.ts';

const RuleList = lazy(async () => (await import('../rules/RuleList.tsx')).RuleList);
const QrDialog = lazy(async () => (await import('../qr/QrPanel.tsx')).QrDialog);

type LinkHeadingProps = {
  shortUrl: string;
  /** Empty if it has none, or while it is read. */
  title: string;
  /** Undefined while it is read. */
  link: LinkRecord | undefined;
  /** The list of links. */
  backUrl: string;
  /** The list of links, where this one can be edited. */
  editUrl: string;
  /** Shows the statistics to everybody, or no longer. @returns why that failed */
  share(isPublic: boolean): Promise<string | undefined>;
};

/** Says which link the statistics are about, and what can be done with it. */
export function LinkHeading({ shortUrl, title, link, backUrl, editUrl, share }: LinkHeadingProps) {
  const failure = useSignal<string | undefined>(undefined);
  const isCopied = useSignal<boolean | undefined>(undefined);
  const isQrOpen = useSignal(false);
  const listUrl = lastUrlOf(backUrl);
  async function copy() {
    isCopied.value = undefined;
    isCopied.value = await copyFromPage(shortUrl);
  }
  const hasRules = link !== undefined && link.rules.length > 0;
  return (
    <>
      <div class="statistics-link">
        <a class="statistics-back" href={listUrl}>
          {t(listUrl === backUrl ? 'all_links' : 'nav_links')}
        </a>
        {title && (
          <h2 class="statistics-title">
            <bdi>{title}</bdi>
          </h2>
        )}
        <bdi dir="ltr">{withoutProtocol(shortUrl)}</bdi>
        <div class="buttons">
          <button type="button" class="button" onClick={copy}>
            <Icon name={isCopied.value ? 'check' : 'copy'} />
            {t('copy')}
          </button>
          <button
            type="button"
            class="button"
            onClick={() => {
              isQrOpen.value = true;
            }}
          >
            <Icon name="qr" />
            {t('qr_code')}
          </button>
          <a class="button" href={editUrl}>
            <Icon name="edit" />
            {t('link_edit')}
          </a>
          {link && (
            <button
              type="button"
              class="button"
              aria-pressed={link.publicStats}
              title={t('hint_public_stats')}
              onClick={async () => {
                failure.value = await share(!link.publicStats);
              }}
            >
              <Icon name={link.publicStats ? 'check' : 'share'} />
              {t('field_public_stats')}
            </button>
          )}
          {link?.publicStats && (
            <a class="button" href={`${shortUrl}/stats`} target="_blank" rel="noreferrer">
              {t('public_stats_page')}
            </a>
          )}
        </div>
        <p role="alert" class="error-message">
          {failure.value}
        </p>
        <p role="status" class={isCopied.value === false ? 'error-message' : 'visually-hidden'}>
          {isCopied.value !== undefined &&
            t(isCopied.value ? 'short_link_copied' : 'link_not_copied')}
        </p>
        <QrDialog
          link={isQrOpen.value ? { shortUrl } : undefined}
          onClose={() => {
            isQrOpen.value = false;
          }}
        />
      </div>
      {hasRules && <RuleList link={link} />}
    </>
  );
}
