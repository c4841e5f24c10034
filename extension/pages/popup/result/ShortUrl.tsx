import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../../../../shared/i18n/translate.ts';
import { hostOf } from '../../../../shared/links/shown-link.ts';
import { DomainSelect } from '../../../../shared/ui/DomainSelect.tsx';
import { isComposing } from '../../../../shared/ui/is-composing.ts';
import { areKeysOn } from '../../../../shared/ui/links/keys/key-setting.ts';
import type { LinkSummary } from '../../../links/link.ts';
import { AliasEditor } from '../lazy-parts.ts';
import type { PopupState } from '../state/popup-state.ts';

/** A key that types a character of an alias. */
const ALIAS_KEY = /^[\w-]$/;

export type ShortUrlProps = {
  link: LinkSummary;
  state: PopupState;
  /** Whether the account in use can change the alias. */
  isEditable: boolean;
};

/** The short URL. A click on its alias, or typing one, edits the alias in place. */
export function ShortUrl({ link, state, isEditable }: ShortUrlProps) {
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
      const typed = state.isAliasEdited.value ? state.changedFields.value.alias : undefined;
      state.editAlias((typed ?? '') + event.key);
    };
    document.addEventListener('keydown', startTyping);
    return () => document.removeEventListener('keydown', startTyping);
  }, [takesKeys, state]);

  if (isEdited) return <AliasEditor state={state} link={link} />;
  // The page's own short link has none, and a form has its own choice.
  const hasChoice = link.serverState && !state.isFormOpen.value;
  const domains = hasChoice ? state.domains.value : undefined;
  const path = link.shortUrl.replace(/^https?:\/\//, '');
  const aliasStart = path.lastIndexOf('/') + 1;
  const [host, alias] = [path.slice(0, aliasStart), path.slice(aliasStart)];
  return (
    <p class="link" dir={domains && 'ltr'}>
      <span class="visually-hidden">{t('short_link')} </span>
      {domains && (
        <DomainSelect
          aria-label={t('field_domain')}
          domains={domains.domains}
          value={hostOf(link)}
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

/** Whether a key is meant for a field, or for the browser. */
function isElsewhere(event: KeyboardEvent): boolean {
  const { target, ctrlKey, altKey, metaKey } = event;
  const isField = target instanceof Element && target.matches('input, textarea, select');
  return isField || ctrlKey || altKey || metaKey || isComposing(event);
}
