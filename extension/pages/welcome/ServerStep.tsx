import type { RefObject } from 'preact';
import { t } from '../../../shared/i18n/translate.ts';
import { Form } from '../../../shared/ui/Form.tsx';
import { ConnectionStatus } from '../../ui/server/ConnectionStatus.tsx';
import { ServerAddressField } from '../../ui/server/ServerAddressField.tsx';
import { CopyLine } from './CopyLine.tsx';
import { Step } from './Step.tsx';
import type { WelcomeState } from './welcome-state.ts';

/** Commands that start a server, as in the README. */
const COMMANDS = 'npm ci\nnpm start';

export type ServerStepProps = { state: WelcomeState; input: RefObject<HTMLInputElement | null> };

/** @param input receives the field for the server's address */
export function ServerStep({ state, input }: ServerStepProps) {
  const { server } = state;
  const isConnected = state.isConnected.value;
  const isTesting = server.test.value.name === 'testing';
  return (
    <Step number={1} heading={t('welcome_server_heading')} isDone={isConnected}>
      <p class="intro">{t('welcome_server_intro')}</p>
      <Form class="rows" onSubmit={state.connect}>
        <ServerAddressField
          form={server}
          input={input}
          problem={state.problemAt('server')}
          onChange={state.changeServer}
        />
        <div class="buttons">
          <button type="submit" class="button primary" aria-disabled={isTesting}>
            {t(isTesting ? 'testing' : 'welcome_connect')}
          </button>
        </div>
        <ConnectionStatus test={server.test.value} onUse={state.useAddress} />
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
