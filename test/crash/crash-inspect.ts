import { hashToken } from '../../server/accounts/tokens.ts';
import { openJsonFileStore } from '../../server/store/json-file/json-file-store.ts';
import type { Store } from '../../server/store/store.ts';
import { differences, type KnownLink, possibleStates, type Witness } from './crash-witness.ts';

const STARTED = Date.now();

type Report = (wrong: unknown) => void;

/**
 * Checks for lost data, and tells the witness which of the unacknowledged edits were applied.
 *
 * @returns all problems of the folder, and the warnings of the store
 */
export async function inspect(folder: string, witness: Witness): Promise<string[]> {
  const wrong: string[] = [];
  const report = (error: unknown) => wrong.push(String(error));
  const store = await openJsonFileStore(folder, {
    onError: report,
    // A killed process loses nothing that the kernel has: at most the last line is torn.
    onWarning: (warning) => {
      if (!warning.includes('never acknowledged')) report(warning);
    },
  });
  for (const link of witness.links.values()) await inspectLink(store, link, witness, report);
  await inspectAliases(store, witness, report);
  await inspectAccounts(store, witness, report);
  await inspectErased(store, witness, report);
  await store.close();
  return wrong;
}

async function inspectLink(
  store: Store,
  known: KnownLink,
  witness: Witness,
  report: Report,
): Promise<void> {
  const possible = [...possibleStates(known.state, known.pending)];
  const [name, { sent, durable }] = [known.state.alias, known.visits];
  const found = await Promise.all(possible.map(({ alias }) => store.findLink(alias)));
  const link = found.find((each) => each?.id === known.record.id);
  if (!link) {
    report(`${name}: not found`);
    return;
  }
  const state = possible.find((candidate) => differences(link, candidate).length === 0);
  if (!state) report(`${name}: ${differences(link, known.state).join(', ')}`);
  else {
    witness.cutOffEdits(known);
    if (state.editedAt !== known.state.editedAt) witness.appliedAnyway++;
    witness.become(known, state);
  }
  known.pending = [];
  if (link.hits < durable || link.hits > sent)
    report(`${name}: ${link.hits} hits, of ${durable} to ${sent}`);
}

/** Each alias finds its link, or none if no link has it any more. */
async function inspectAliases(store: Store, witness: Witness, report: Report): Promise<void> {
  const owners = new Map<string, string>();
  for (const { state } of witness.links.values()) {
    for (const each of [state.alias, ...state.previousAliases]) {
      const alias = each.toLowerCase();
      if (owners.has(alias)) report(`${alias}: two links have it`);
      owners.set(alias, state.id);
    }
  }
  for (const alias of witness.aliases) {
    const owner = owners.get(alias.toLowerCase());
    const id = (await store.findLink(alias))?.id;
    if (id !== owner) report(`${alias}: leads to ${id}, not to ${owner}`);
  }
}

async function inspectAccounts(store: Store, witness: Witness, report: Report): Promise<void> {
  const unanswered = new Map<string | undefined, number>();
  for (const { token } of witness.unanswered) {
    unanswered.set(token, (unanswered.get(token) ?? 0) + 1);
  }
  for (const [token, links] of witness.tokens) {
    const owner = await store.findToken(hashToken(token));
    const month = await countLinks(store, owner?.account.id ?? '');
    const most = links + (unanswered.get(token) ?? 0) + (witness.unknownAliases.get(token) ?? 0);
    if (month < links || month > most)
      report(`an account has ${month} links, of ${links} to ${most}`);
  }
  for (const [tokenHash, expected] of witness.furtherTokens) {
    const isValid = (await store.findToken(tokenHash)) !== undefined;
    if (expected !== 'unknown' && isValid !== (expected === 'valid')) {
      report(`a token that is ${expected} was ${isValid ? '' : 'not '}found`);
    }
    witness.furtherTokens.set(tokenHash, isValid ? 'valid' : 'revoked');
  }
}

/** Of the months in which this test runs. */
async function countLinks(store: Store, accountId: string): Promise<number> {
  const months = new Set(
    [STARTED, Date.now()].map((time) => new Date(time).toISOString().slice(0, 7)),
  );
  let links = 0;
  for (const month of months) {
    const { month: created } = await store.countLinks(accountId, Date.parse(month));
    links += created;
  }
  return links;
}

async function inspectErased(store: Store, witness: Witness, report: Report): Promise<void> {
  for (const erased of witness.erased) {
    const { alias, token, withAccount, isSure } = erased;
    const isThere = (await store.findLink(alias)) !== undefined;
    if (isThere && isSure) report(`${alias} was erased, but is there`);
    if (await store.isAliasFree(alias)) report(`${alias} was erased, and is free`);
    const isValid = (await store.findToken(hashToken(token))) !== undefined;
    if (isValid !== (isThere || !withAccount)) report(`the token of ${alias}: ${isValid}`);
    erased.isSure ||= !isThere;
  }
}
