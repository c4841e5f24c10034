import type { ComponentChildren, RefObject } from 'preact';
import { useRef } from 'preact/hooks';
import { t } from '../../../shared/i18n/translate.ts';
import { InputField } from '../../../shared/ui/Field.tsx';
import { Form, Username } from '../../../shared/ui/Form.tsx';
import { Icon } from '../../../shared/ui/Icon.tsx';
import { type Shortcut, ShortcutList } from '../../ui/Shortcuts.tsx';
import { ConnectionStatus, ServerAddressField } from '../../ui/server/ServerField.tsx';
import type { WelcomeState } from './welcome-state.ts';

type WelcomePageProps = {
  state: WelcomeState;
  onLeave: () => void;
  onOpenSettings: () => void;
};

export function WelcomePage({ state, onLeave, onOpenSettings }: WelcomePageProps) {
  const isServerFixed = state.isServerFixed.value;
  /** Steps before the first link. */
  const before = isServerFixed ? 0 : 1;
  const serverInput = useRef<HTMLInputElement>(null);
  const keyInput = useRef<HTMLInputElement>(null);
  return (
    <main class="page">
      <header class="head welcome-head">
        <img class="mark" src="/icon/96.png" alt="" />
        <h1>{t('welcome_title')}</h1>
        <button type="button" class="button plain" onClick={onLeave}>
          {t('welcome_skip')}
        </button>
        <p class="intro">
          {isServerFixed
            ? t('welcome_intro_managed', new URL(state.server.address.value).host)
            : t('welcome_intro')}
        </p>
      </header>
      {!isServerFixed && <ServerStep state={state} input={serverInput} keyInput={keyInput} />}
      <FirstLink
        state={state}
        number={before + 1}
        onServerError={(place) => (place === 'key' ? keyInput : serverInput).current?.focus()}
      />
      <HowToUse shortcuts={state.shortcuts} number={before + 2} isPinned={state.isPinned.value} />
      <footer class="buttons end">
        <button type="button" class="button" onClick={onOpenSettings}>
          {t('open_settings')}
        </button>
        <button type="button" class="button primary" onClick={onLeave}>
          {t('welcome_done')}
        </button>
      </footer>
    </main>
  );
}

/** Commands that start a server, as in the README. */
const COMMANDS = 'npm ci\nnpm start';

type ServerStepProps = {
  state: WelcomeState;
  /** Receives the field for the server's address. */
  input: RefObject<HTMLInputElement | null>;
  /** Receives the field for a sign-in key. */
  keyInput: RefObject<HTMLInputElement | null>;
};

function ServerStep({ state, input, keyInput }: ServerStepProps) {
  const { server } = state;
  const isConnected = state.isConnected.value;
  const isTesting = server.test.value.name === 'testing';
  return (
    <Step number={1} heading={t('welcome_server_heading')} isDone={state.isServerDone.value}>
      <p class="intro">{t('welcome_server_intro')}</p>
      <Form class="rows" onSubmit={state.connect}>
        <ServerAddressField
          form={server}
          input={input}
          problem={state.problemAt('server')}
          onChange={state.changeServer}
        />
        <Username name={server.address.value} />
        <InputField
          label={t('welcome_field_key')}
          hint={t('welcome_hint_key')}
          issue={state.problemAt('key')}
          ref={keyInput}
          class="input mono"
          type="password"
          name="key"
          isCode
          value={state.key.value}
          onInput={(event) => state.changeKey(event.currentTarget.value)}
        />
        <div class="buttons">
          <button type="submit" class="button primary" aria-disabled={isTesting}>
            {t(isTesting ? 'testing' : 'welcome_connect')}
          </button>
          <span class="note" role="status">
            {state.isKeyInUse.value && t('token_replaced')}
          </span>
        </div>
        <ConnectionStatus
          test={server.test.value}
          onUse={state.useAddress}
          onMove={state.moveServer}
        />
      </Form>
      {!isConnected && (
        <div class="rows divided">
          <p>{t('welcome_no_server')}</p>
          <CopyLine state={state} text={COMMANDS} label={t('welcome_copy_commands')}>
            <pre class="commands" dir="ltr">
              <code>{COMMANDS}</code>
            </pre>
          </CopyLine>
        </div>
      )}
    </Step>
  );
}

type FirstLinkProps = {
  state: WelcomeState;
  number: number;
  /** No link was created, because the server's address or the sign-in key needs a correction. */
  onServerError: (place: 'server' | 'key') => void;
};

function FirstLink({ state, number, onServerError }: FirstLinkProps) {
  const link = state.link.value;
  const input = useRef<HTMLInputElement>(null);

  async function submit(): Promise<void> {
    const place = await state.shorten();
    // A screen reader also announces the field's error.
    if (place === 'url') input.current?.focus();
    if (place === 'server' || place === 'key') onServerError(place);
  }

  return (
    <Step number={number} heading={t('welcome_link_heading')} isDone={link !== undefined}>
      <p class="intro">{t('welcome_link_intro')}</p>
      <Form class="rows" onSubmit={submit}>
        <InputField
          label={t('welcome_field_page')}
          issue={state.problemAt('url')}
          ref={input}
          type="url"
          isUrl
          name="page"
          value={state.url.value}
          onInput={(event) => state.changeUrl(event.currentTarget.value)}
          onFocus={(event) => event.currentTarget.select()}
        />
        <div class="buttons">
          <button type="submit" class="button primary" aria-disabled={state.isWorking.value}>
            {t(state.isWorking.value ? 'working' : 'shorten')}
          </button>
        </div>
        <p class="issue" role="alert">
          {state.problemAt('link')}
        </p>
      </Form>
      <div role="status">
        {link && (
          <p>
            {t('link_added')}{' '}
            <a class="short-url" href={link.shortUrl} target="_blank" rel="noreferrer" dir="ltr">
              {link.shortUrl.replace(/^https?:\/\//, '')}
            </a>
          </p>
        )}
        {link && state.isNotSaved.value && <p class="warning">{t('link_not_saved')}</p>}
      </div>
      {link && (
        <CopyLine state={state} text={link.shortUrl} label={t('copy')}>
          {null}
        </CopyLine>
      )}
    </Step>
  );
}

type HowToUseProps = { shortcuts: Shortcut[]; number: number; isPinned: boolean };

function HowToUse({ shortcuts, number, isPinned }: HowToUseProps) {
  return (
    <Step number={number} heading={t('welcome_use_heading')} isDone={isPinned}>
      <ul class="how-to">
        <li>{t('welcome_use_button')}</li>
        {!isPinned && (
          <li>
            {t(import.meta.env.FIREFOX ? 'welcome_pin_firefox' : 'welcome_pin_chromium')}
            <PinPicture />
          </li>
        )}
        <li>{t('welcome_use_menu')}</li>
        <li>{t('welcome_use_keys')}</li>
      </ul>
      <ShortcutList shortcuts={shortcuts} />
    </Step>
  );
}

const PIN = 'M280 86h8l-1.5 6 3 3.5h-11l3-3.5zM284 95.5v7';
/** A gear: its teeth, and the hole in it. */
const GEAR =
  'M284 88.5v-2.5M284 102v-2.5M278.5 94h-2.5M292 94h-2.5M280.1 90.1l-1.8-1.8M289.7 99.7l-1.8-1.8M280.1 97.9l-1.8 1.8M289.7 88.3l-1.8 1.8M284 89.2a4.8 4.8 0 1 0 0 9.6 4.8 4.8 0 0 0 0-9.6ZM284 93.9v.2';

/** Renders the toolbar with the puzzle piece, and its menu with what to click beside Curt. The text says the same. */
function PinPicture() {
  return (
    <svg class="pin-picture" viewBox="0 0 320 132" aria-hidden="true">
      <rect class="pin-frame" x="0.5" y="0.5" width="319" height="131" rx="8" />
      <rect class="pin-field" x="12" y="12" width="216" height="22" rx="11" />
      <circle class="pin-spot" cx="256" cy="23" r="16" />
      <path class="pin-line" d="M250 18h4.5a2.5 2.5 0 1 1 5 0h4.5v4.5a2.5 2.5 0 1 1 0 5v3.5h-14z" />
      <path class="pin-line" d="M292 17v.01M292 23v.01M292 29v.01" />
      <rect class="pin-menu" x="132" y="48" width="176" height="72" rx="8" />
      <rect class="pin-field" x="146" y="60" width="72" height="8" rx="4" />
      <image href="/icon/48.png" x="146" y="82" width="24" height="24" />
      <text class="pin-text" x="180" y="99">
        {t('extension_name')}
      </text>
      <circle class="pin-spot" cx="284" cy="94" r="16" />
      <path class="pin-line" d={import.meta.env.FIREFOX ? GEAR : PIN} />
    </svg>
  );
}

type StepProps = {
  number: number;
  heading: string;
  isDone: boolean;
  children: ComponentChildren;
};

function Step({ number, heading, isDone, children }: StepProps) {
  const id = `step-${number}`;
  return (
    <section class="card" aria-labelledby={id}>
      <h2 class="step-heading" id={id}>
        <span class="step-number">{isDone ? <Icon name="check" /> : number}</span>
        {heading}
        {isDone && <span class="visually-hidden"> {t('welcome_done')}</span>}
      </h2>
      <div class="rows">{children}</div>
    </section>
  );
}

type CopyLineProps = {
  state: WelcomeState;
  text: string;
  /** The button's label. */
  label: string;
  /** The text as displayed. */
  children: ComponentChildren;
};

/** A text with a button that copies it, and the result. */
function CopyLine({ state, text, label, children }: CopyLineProps) {
  return (
    <div class="copy-line">
      {children}
      <button type="button" class="button" onClick={() => state.copyText(text)}>
        <Icon name="copy" />
        {label}
      </button>
      <span class="note" role="status">
        {state.copyNote(text)}
      </span>
    </div>
  );
}
