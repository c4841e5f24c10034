import { useEffect, useRef } from 'preact/hooks';
import { t } from '../../i18n/translate.ts';
import { areKeysOn, setKeysOn } from '../keys.ts';
import { keyName } from '../Menu.tsx';

type KeySheetProps = { isOpen: boolean; hasNewLink: boolean; onClose: () => void };

/** Renders all keys of the list, and the setting that turns off those without Ctrl. */
export function KeySheet({ isOpen, hasNewLink, onClose }: KeySheetProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
  }, [isOpen]);
  if (!isOpen) return null;
  const keys: [keys: string[], text: string][] = [
    ...(hasNewLink ? [[['C'], t('create_heading')] satisfies [string[], string]] : []),
    [['/'], t('keys_search')],
    [['J', 'K', '↓', '↑'], t('keys_move')],
    [['X'], t('link_select')],
    [['.'], t('keys_menu')],
    [['E'], t('link_edit')],
    [['M'], t('copy_markdown')],
    [['O'], t('open')],
    [['D'], t('link_duplicate')],
    [['Q'], t('qr_code')],
    [['S'], t('link_statistics')],
    [['P'], t('link_pause')],
    [[keyName('Delete')], t('link_delete')],
    [[withControl('K')], t('palette_title')],
    [[withControl('Z')], t('undo')],
    [['?'], t('keys_title')],
  ];
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby="keys-title" onClose={onClose}>
      <h2 id="keys-title">{t('keys_title')}</h2>
      <table class="keys">
        <tbody>
          {keys.map(([names, text]) => (
            <tr key={text}>
              <td>
                {names.map((name) => (
                  <kbd key={name}>{name}</kbd>
                ))}
              </td>
              <th scope="row">{text}</th>
            </tr>
          ))}
        </tbody>
      </table>
      <label class="keys-setting">
        <input
          type="checkbox"
          defaultChecked={areKeysOn()}
          onChange={({ currentTarget: { checked } }) => setKeysOn(checked)}
        />
        {t('keys_setting')}
      </label>
      <div class="buttons end">
        <button type="button" class="button" onClick={() => dialog.current?.close()}>
          {t('close')}
        </button>
      </div>
    </dialog>
  );
}

/** `Ctrl+K`, or `⌘K` on a Mac, whose keyboards have both keys. */
function withControl(key: string): string {
  return navigator.userAgent.includes('Mac OS') ? `⌘${key}` : `${t('key_control')}+${key}`;
}
