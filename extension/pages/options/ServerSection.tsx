import { t } from '../../../shared/i18n/translate.ts';
import { ConfirmButton } from '../../../shared/ui/ConfirmDialog.tsx';
import { Form } from '../../../shared/ui/Form.tsx';
import { restoreFocusAfter } from '../../../shared/ui/restore-focus.ts';
import type { ServerTokens } from '../../messaging/protocol.ts';
import { ConnectionStatus, ServerAddressField } from '../../ui/server/ServerField.tsx';
import { Card } from './Card.tsx';
import type { OptionsState } from './options-state.ts';

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
        {!isFixed && (
          <div class="buttons">
            <button type="submit" class="button primary" aria-disabled={isTesting}>
              {t('save')}
            </button>
          </div>
        )}
        <ConnectionStatus
          test={server.test.value}
          onUse={state.useAddress}
          onMove={state.moveServer}
        />
        <ServerQuestion state={state} />
      </Form>
      <ServerList state={state} />
    </Card>
  );
}

/** No Curt server responds at the address in the field. */
function ServerQuestion({ state }: { state: OptionsState }) {
  const origin = state.unconfirmed.value;
  // Then the result of the test asks.
  const isMove = state.server.movedFrom() !== undefined;
  const isAsked = !isMove && origin !== undefined && origin === state.server.address.value;
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

/** The user's accounts on other servers. Their tokens are kept for switching back. */
function ServerList({ state }: { state: OptionsState }) {
  const others = state.account.others.value;
  if (others.length === 0) return null;
  return (
    <div class="rows divided">
      <h3>{t('servers_heading')}</h3>
      <ul class="list">
        {others.map((server) => (
          <ServerRow key={server.origin} server={server} state={state} />
        ))}
      </ul>
    </div>
  );
}

function ServerRow({ server, state }: { server: ServerTokens; state: OptionsState }) {
  const { host } = new URL(server.origin);
  return (
    <li class="list-row">
      <bdi class="mono" dir="ltr">
        {server.origin}
      </bdi>
      <span class="buttons">
        {!state.isFixed('serverOrigin') && (
          <button
            type="button"
            class="button"
            aria-label={t('server_switch_to', host)}
            onClick={({ currentTarget }) =>
              restoreFocusAfter(currentTarget, () => state.switchTo(server.origin))
            }
          >
            {t('server_switch')}
          </button>
        )}
        <ConfirmButton
          label={t('remove')}
          ariaLabel={t('server_remove', host)}
          title={t('server_remove_question', host)}
          confirm={t('token_remove_confirm')}
          onConfirm={() => state.account.removeServer(server)}
        >
          <p>{t('token_remove_text')}</p>
        </ConfirmButton>
      </span>
    </li>
  );
}
