import { t } from '../../../../shared/i18n/translate.ts';
import { Form } from '../../../../shared/ui/Form.tsx';
import { restoreFocusAfter } from '../../../../shared/ui/restore-focus.ts';
import { ConnectionStatus } from '../../../ui/server/ConnectionStatus.tsx';
import { ServerAddressField } from '../../../ui/server/ServerAddressField.tsx';
import { Card } from '../Card.tsx';
import type { OptionsState } from '../state/options-state.ts';
import { ServerList } from './ServerList.tsx';

export function ServerSection({ state }: { state: OptionsState }) {
  const { server } = state;
  const isFixed = state.isFixed('serverOrigin');
  const isTesting = server.test.value.name === 'testing';
  return (
    <Card
      name="server"
      heading={t('server_heading')}
      intro={t('server_intro')}
      note={state.notes.server.value}
    >
      <Form
        class="rows"
        onSubmit={state.saveAddress}
        onFocusOut={({ currentTarget, relatedTarget }) => {
          const isInside = relatedTarget instanceof Node && currentTarget.contains(relatedTarget);
          // If the page lost the focus, the user may still be typing.
          if (!isInside && document.hasFocus()) void state.leaveAddress();
        }}
      >
        <ServerAddressField form={server} isFixed={isFixed} />
        <div class="buttons">
          {!isFixed && (
            <button type="submit" class="button primary">
              {t('save')}
            </button>
          )}
          <button
            type="button"
            class="button"
            aria-disabled={isTesting}
            onClick={server.testConnection}
          >
            {t(isTesting ? 'testing' : 'test_connection')}
          </button>
        </div>
        <ConnectionStatus test={server.test.value} onUse={state.useAddress} />
        <ServerQuestion state={state} />
      </Form>
      <ServerList state={state} />
    </Card>
  );
}

/** No Curt server responds at the address in the field. */
function ServerQuestion({ state }: { state: OptionsState }) {
  const origin = state.unconfirmed.value;
  const isAsked = origin !== undefined && origin === state.server.address.value;
  const current = new URL(state.settings.value.serverOrigin).host;
  return (
    // Always rendered: a live region must exist before its text.
    <div role="status" class="rows">
      {isAsked && origin !== state.settings.value.serverOrigin && (
        <>
          <p>{t('server_unconfirmed', new URL(origin).host, current)}</p>
          <div class="buttons">
            <button
              type="button"
              class="button"
              onClick={({ currentTarget }) =>
                restoreFocusAfter(currentTarget, () => state.switchTo(origin))
              }
            >
              {t('server_use_anyway')}
            </button>
            <button
              type="button"
              class="button"
              onClick={({ currentTarget }) =>
                restoreFocusAfter(currentTarget, async () => state.keepServer())
              }
            >
              {t('server_keep', current)}
            </button>
          </div>
        </>
      )}
    </div>
  );
}
