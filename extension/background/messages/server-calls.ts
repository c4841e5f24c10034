import type { LinkCall } from '../../../shared/client/link-methods.ts';
import type { Client, Result as ClientResult } from '../../../shared/client.ts';
import { hasValues } from '../../../shared/links/has-values.ts';
import { editOrRead } from '../../../shared/ui/links/link-calls.ts';
import type { SavedLink } from '../../links/link.ts';
import type { Failure, LinkReference, Result } from '../../messaging/protocol.ts';
import type { CallInput, CallName, CallOutput, ServerCall } from '../../messaging/server-calls.ts';
import { startCall } from '../account/tokens.ts';
import { linksOf, removeLink } from '../data/saved-links.ts';
import { createLinkCaller, putRecord } from '../links/call-links.ts';
import type { ReadLinks } from '../links/read-links.ts';
import { hasPrivateLinks } from '../queue/private-links.ts';
import { submitDraft } from '../shorten/form-drafts.ts';

type ExportQuery = Parameters<Client['exportLinks']>[1];
type Run<N extends CallName> = (call: ServerCall<N>) => Promise<Result<CallOutput<N>>>;
export type ServerCalls = ReturnType<typeof createServerCalls>;

/** Calls servers for the pages, with the account in use, and brings the saved links up to date. */
export function createServerCalls(
  clientOf: (origin: string) => Client,
  { readTags }: Pick<ReadLinks, 'readTags'>,
) {
  const { withToken, withLink } = createLinkCaller(clientOf);

  const ofAccount =
    <N extends CallName>(
      run: (
        client: Client,
        token: string,
        input: CallInput<N>,
      ) => Promise<ClientResult<CallOutput<N>>>,
    ): Run<N> =>
    ({ serverOrigin, input }) =>
      withToken(serverOrigin, (client, token) => run(client, token, input));

  const ofLink = <T>(
    { link }: ServerCall,
    run: (client: Client, about: LinkCall) => Promise<ClientResult<T>>,
  ): Promise<Result<T>> =>
    link ? withLink(link, run) : Promise.resolve({ ok: false, code: 'extension_failed' });

  const runs: { [N in CallName]: Run<N> } = {
    getHealth: ({ serverOrigin }) => clientOf(serverOrigin).getHealth(),
    listTags: ({ serverOrigin }) => readTags(serverOrigin),
    // The saved links are brought up to date when the list is read again.
    changeLinks: ofAccount((client, token, { body, ...query }) =>
      client.changeLinks(token, body, query),
    ),
    importLinks: ofAccount((client, token, { file, ...options }) => {
      const bytes = Uint8Array.from(atob(file), (character) => character.charCodeAt(0));
      return client.importLinks(token, { ...options, file: new Blob([bytes]) });
    }),
    getImport: ofAccount((client, token) => client.getImport(token)),
    stopImport: ofAccount((client, token) => client.stopImport(token)),
    async exportLinks({ serverOrigin, input }) {
      const file = await withToken(serverOrigin, (client, token) =>
        client.exportLinks(token, { secrets: false, ...input } as ExportQuery),
      );
      if (!file.ok) return file;
      // Spreadsheets need a table's byte order mark, which `text()` leaves out.
      const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
      return { ok: true, data: decoder.decode(await file.data.arrayBuffer()) };
    },
    getLinkStatistics: (call) =>
      ofLink(call, (client, { token, alias }) =>
        client.getLinkStatistics(token, alias, call.input),
      ),
    async getStatistics({ serverOrigin, input }) {
      const report = await withToken(serverOrigin, (client, token) =>
        client.getStatistics(token, input),
      );
      if (!report.ok || !(await hasPrivateLinks(serverOrigin))) return report;
      return { ok: true, data: await leaveOutUnsaved(serverOrigin, report.data) };
    },
    editLink: (call) =>
      submitDraft(
        call.draftTabId,
        () => edit(call),
        ({ ok }) => ok,
      ),
    async deleteLink(call) {
      const done = await ofLink(call, (client, about) =>
        client.deleteLink(about, call.input.purge ? { purge: true } : {}),
      );
      if (done.ok && call.link) await removeLink(call.link);
      return done;
    },
    async restoreLink(call) {
      const { isObsolete } = await startCall(call.serverOrigin);
      const restored = await ofLink(call, (client, about) => client.restoreLink(about));
      if (!restored.ok || !call.link) return restored as Failure;
      const listed = 'id' in call.link ? call.link : undefined;
      return { ok: true, data: await putRecord(call.link, restored.data, isObsolete, listed) };
    },
  };

  /** After `version_mismatch`, the failure has the link as it is now. */
  async function edit(call: ServerCall<'editLink'>): Promise<Result<SavedLink>> {
    const { link, serverOrigin, input } = call;
    const { body, ifMatch } = input;
    const { isObsolete } = await startCall(serverOrigin);
    const edited = await editOrRead<Failure>((run) => ofLink(call, run), body, ifMatch);
    const put = (record: Parameters<typeof putRecord>[1]) =>
      putRecord(link as LinkReference, record, isObsolete);
    if (edited.ok) return { ok: true, data: await put(edited.data) };
    const { current, ...failure } = edited;
    if (!current) return failure;
    // A page repeats its message if the worker stopped, which may have sent the edit before.
    const entry = await put(current);
    return hasValues(current, body) ? { ok: true, data: entry } : { ...failure, current: entry };
  }

  return {
    call: (call: ServerCall): Promise<Result<unknown>> =>
      (runs[call.name] as Run<CallName>)(call as ServerCall<never>),
  };
}

/** Without IDs, private links can't be told from others. Saved links are never private. */
async function leaveOutUnsaved<R extends CallOutput<'getStatistics'>>(
  serverOrigin: string,
  report: R,
): Promise<R> {
  const saved = new Set((await linksOf(serverOrigin)).map((link) => link.shortUrl));
  const [shown = [], hidden = []] = [true, false].map((isShown) =>
    report.topLinks.filter((link) => saved.has(link.shortUrl) === isShown),
  );
  const otherLinks = hidden.reduce((sum, { people }) => sum + people, report.otherLinks);
  return { ...report, topLinks: shown, otherLinks };
}
