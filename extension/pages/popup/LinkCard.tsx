import { useSignal } from '@preact/signals';
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks';
import { formatDate, formatDuration } from '../../../shared/i18n/format-time.ts';
import { formatCount } from '../../../shared/i18n/plural.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { hostOf } from '../../../shared/links/link-address.ts';
import type { LinkRecord } from '../../../shared/links/link-record.ts';
import { DomainSelect } from '../../../shared/ui/DomainSelect.tsx';
import { Icon, type IconName } from '../../../shared/ui/Icon.tsx';
import { areKeysOn, isComposing } from '../../../shared/ui/keys.ts';
import { lazy } from '../../../shared/ui/lazy.ts';
import { ShareButton } from '../../../shared/ui/ShareButton.tsx';
import { browserTimeZone, dateIn } from '../../../shared/ui/statistics/state/ranges.ts';
import type { PageLink } from '../../links/link.ts';
import type { DomainChoices, LinkReference } from '../../messaging/protocol.ts';
import type { Send } from '../../messaging/send.ts';
import { AliasEditor } from './lazy-parts.ts';
import type { LinkView } from './state/popup-model.ts';
import type { PopupState } from './state/popup-state.ts';

/** Loaded on demand: most popups never show one. */
const QrPanel = lazy(async () => (await import('../../../shared/ui/qr/QrPanel.tsx')).QrPanel);

const MIDDLE_BUTTON = 1;

type LinkCardProps = {
  view: LinkView;
  state: PopupState;
  onOpen: (url: string) => void;
  onCustomizeQr?: ((shortUrl: string) => void) | undefined;
};

/** Renders a short link and its actions. Copy comes first, so that Enter copies. */
export function LinkCard({ view, state, onOpen, onCustomizeQr }: LinkCardProps) {
  const { link, reference } = view;
  const isQrShown = useSignal(false);
  const qrId = useId();
  const isEdited = state.isFormOpen.value || state.isAliasEdited.value;
  /** Handles every kind of click: the browser would open a private window's link in a normal one. */
  function open(event: MouseEvent): void {
    event.preventDefault();
    onOpen(link.shortUrl);
  }

  return (
    <>
      <ShortUrl link={link} state={state} isEditable={reference !== undefined} />
      <div class="actions">
        <button
          type="button"
          // A form has its own primary button.
          class={isEdited ? 'button' : 'button primary'}
          onClick={state.copyAgain}
        >
          <Icon name={view.copy === 'done' ? 'check' : 'copy'} />
          {t('copy')}
        </button>
        <button
          type="button"
          class="button"
          aria-expanded={isQrShown.value}
          aria-controls={qrId}
          onPointerEnter={QrPanel.preload}
          onFocus={QrPanel.preload}
          onClick={() => {
            isQrShown.value = !isQrShown.value;
          }}
        >
          <Icon name="qr" />
          {t('qr_code')}
        </button>
        <a
          class="button"
          href={link.shortUrl}
          onClick={open}
          onAuxClick={(event) => event.button === MIDDLE_BUTTON && open(event)}
        >
          <Icon name="open" />
          {t('open')}
        </a>
        {/* Elsewhere, a link is shared by pasting it. */}
        {matchMedia('(pointer: coarse)').matches && <ShareButton url={link.shortUrl} />}
      </div>
      <div id={qrId} hidden={!isQrShown.value}>
        {isQrShown.value && (
          <QrPanel
            shortUrl={link.shortUrl}
            onCustomize={onCustomizeQr && (() => onCustomizeQr(link.shortUrl))}
          />
        )}
      </div>
      <p class="facts">
        <span class="target-line">
          <span class="target" title={link.originalUrl}>
            {t('target')} <bdi dir="ltr">{link.originalUrl.replace(/^https?:\/\//, '')}</bdi>
          </span>
          {/* No count of another link: each has its own. */}
          {view.isExisting && reference && (
            <VisitsToday key={reference.shortUrl} reference={reference} send={state.send} />
          )}
        </span>
        {linkFacts(link).map((fact) => (
          <span class="fact" key={fact}>
            {fact}
          </span>
        ))}
      </p>
    </>
  );
}

/** A key that types a character of an alias. */
const ALIAS_KEY = /^[\w-]$/;

type ShortUrlProps = {
  link: PageLink;
  state: PopupState;
  /** Whether the account in use can change the alias. */
  isEditable: boolean;
};

/** The short URL. A click on its alias, or typing one, edits the alias in place. */
function ShortUrl({ link, state, isEditable }: ShortUrlProps) {
  const takesKeys = isEditable && !state.isFormOpen.value;
  const isEdited = takesKeys && state.isAliasEdited.value;
  const button = useRef<HTMLButtonElement>(null);
  const wasEdited = useRef(false);
  useEffect(() => {
    // The field with the focus is gone.
    if (wasEdited.current && document.activeElement === document.body) button.current?.focus();
    wasEdited.current = isEdited;
  }, [isEdited]);
  // A layout effect: an effect would miss what is typed as soon as the link is visible.
  useLayoutEffect(() => {
    if (!takesKeys) return undefined;
    const startTyping = (event: KeyboardEvent) => {
      if (isElsewhere(event) || !ALIAS_KEY.test(event.key) || !areKeysOn()) return;
      event.preventDefault();
      // What is typed before the field takes the focus is appended.
      const typed = state.isAliasEdited.value ? state.changedFields.value.customAlias : undefined;
      state.editAlias((typed ?? '') + event.key);
    };
    document.addEventListener('keydown', startTyping);
    return () => document.removeEventListener('keydown', startTyping);
  }, [takesKeys, state]);

  if (isEdited) return <AliasEditor state={state} link={link} />;
  // The page's own short link has none, and a form has its own choice.
  const hasChoice = link.id !== undefined && !state.isFormOpen.value;
  const domains = hasChoice ? state.domains.value : undefined;
  const path = link.shortUrl.replace(/^https?:\/\//, '');
  const aliasStart = path.lastIndexOf('/') + 1;
  const [host, alias] = [path.slice(0, aliasStart), path.slice(aliasStart)];
  return (
    <p class="link" dir={domains && 'ltr'}>
      <span class="visually-hidden">{t('short_link')} </span>
      {domains && (
        <DomainChoice
          domains={domains.domains}
          host={hostOf(link)}
          onChoose={(chosen) => void state.chooseDomain(chosen)}
        />
      )}
      <output class="short-url" dir="ltr">
        {domains ? '/' : host}
        {takesKeys ? (
          <button
            type="button"
            class="alias"
            ref={button}
            title={t('alias_edit')}
            aria-label={t('label_of', t('alias_edit'), alias)}
            onPointerEnter={AliasEditor.preload}
            onFocus={AliasEditor.preload}
            onClick={() => state.editAlias()}
          >
            {alias}
          </button>
        ) : (
          alias
        )}
      </output>
    </p>
  );
}

type DomainChoiceProps = {
  domains: DomainChoices['domains'];
  host: string;
  onChoose: (host: string) => void;
};

/** The host of the short URL. A click on it offers the others. */
function DomainChoice({ domains, host, onChoose }: DomainChoiceProps) {
  const isOpen = useSignal(false);
  const place = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const select = place.current?.querySelector('select');
    select?.focus();
    try {
      select?.showPicker();
    } catch {
      // Without a click, such as from a script, the field opens with the next one.
    }
  }, [isOpen.value]);
  if (!isOpen.value) {
    const shown = domains.find((domain) => domain.host === host)?.displayHost ?? host;
    return (
      <button
        type="button"
        class="alias"
        title={t('field_domain')}
        aria-label={t('label_of', t('field_domain'), shown)}
        onClick={() => {
          isOpen.value = true;
        }}
      >
        {shown}
      </button>
    );
  }
  const close = () => {
    isOpen.value = false;
  };
  return (
    <span ref={place} onFocusOut={close}>
      <DomainSelect
        aria-label={t('field_domain')}
        domains={domains}
        value={host}
        onChoose={(chosen) => {
          close();
          onChoose(chosen);
        }}
      />
    </span>
  );
}

/** Whether a key is meant for a field, or for the browser. */
function isElsewhere(event: KeyboardEvent): boolean {
  const { target, ctrlKey, altKey, metaKey } = event;
  const isField = target instanceof Element && target.matches('input, textarea, select');
  return isField || ctrlKey || altKey || metaKey || isComposing(event);
}

type PauseButtonProps = { link: LinkRecord; state: PopupState };

/** Pauses the link, or resumes it. */
export function PauseButton({ link, state }: PauseButtonProps) {
  const isPaused = link.status === 'inactive';
  return (
    <IconButton
      icon={isPaused ? 'resume' : 'pause'}
      label={t(isPaused ? 'link_resume' : 'link_pause')}
      isDisabled={state.isSubmitting.value}
      onClick={state.togglePause}
    />
  );
}

type IconButtonProps = {
  icon: IconName;
  label: string;
  isDisabled?: boolean;
  onClick: () => void;
};

export function IconButton({ icon, label, isDisabled, onClick }: IconButtonProps) {
  return (
    <button
      type="button"
      class="button plain square"
      aria-label={label}
      title={label}
      aria-disabled={isDisabled}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}

/** Renders today's visits of a link, once they are known. */
function VisitsToday({ reference, send }: { reference: LinkReference; send: Send }) {
  const count = useSignal<number | undefined>(undefined);
  useEffect(() => {
    void readVisitsToday(send, reference).then((visits) => {
      count.value = visits;
    });
  }, []);
  if (count.value === undefined) return null;
  return <span class="visits-today">{formatCount('visits_today', count.value)}</span>;
}

/** Visits by people since midnight; undefined if they are not known. */
export async function readVisitsToday(
  send: Send,
  { serverOrigin, shortUrl }: Pick<LinkReference, 'serverOrigin' | 'shortUrl'>,
  now = new Date(),
): Promise<number | undefined> {
  const timeZone = browserTimeZone();
  const query = { unit: 'day', from: dateIn(timeZone, now), timeZone } as const;
  const link = { serverOrigin, shortUrl };
  const answer = await send('getLinkStatistics', { link, ...query });
  return answer.ok && answer.data.isRecording ? answer.data.totals.people : undefined;
}

/** Returns what visitors of a link should expect: a paused link, a password, a wait, an expiry date. */
export function linkFacts(link: PageLink): string[] {
  if (link.id === undefined) return [];
  const { expiresAt, hasPassword, waitTimer } = link;
  return [
    link.status === 'inactive' && t('status_inactive'),
    hasPassword && t('has_password'),
    waitTimer > 0 && t('waits', formatDuration(waitTimer)),
    expiresAt && t('expires_on', formatDate(expiresAt)),
  ].filter((fact) => typeof fact === 'string');
}
