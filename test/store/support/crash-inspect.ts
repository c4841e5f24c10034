import { hashToken } from '../../../server/accounts/tokens.ts';
import { openJsonFileStore } from '../../../server/store/json-file/json-file-store.ts';
import type { Link, Store } from '../../../server/store/store.ts';
import { differences, type KnownLink, possibleStates, type Witness } from './crash-witness.ts';

type Say = (wrong: unknown) => void;

/**
 * Looks for what was lost, and lets the witness know which of the unanswered edits were made.
 *
 * @returns what is wrong with the folder, a line for each; and what the store warned of
 */
export async function inspect(folder: string, witness: Witness): Promise<string[]> {
  const wrong: string[] = [];
  const say = (error: unknown) => wrong.push(String(error));
  const store = await openJsonFileStore(folder, {
    clock: Date.now,
    onError: say,
    // A kill leaves what was written to the kernel: at most the last line is torn.
    onWarning: (warning) => {
      if (!warning.includes('never acknowledged')) say(warning);
    },
  });
  for (const link of witness.links.values()) await inspectLink(store, link, witness, say);
  await inspectAliases(store, witness, say);
  await inspectAccounts(store, witness, say);
  await store.close();
  return wrong;
}

async function inspectLink(
  store: Store,
  known: KnownLink,
  witness: Witness,
  say: Say,
): Promise<void> {
  const possible = [...possibleStates(known.state, known.underWay)];
  const [name, { sent, kept }] = [known.state.alias, known.visits];
  const found: Link[] = [];
  for (const alias of new Set(possible.map(({ alias }) => alias))) {
    const link = await store.findLink(alias);
    if (link?.id === known.record.id) found.push(link);
  }
  const [link] = found;
  if (!link || found.length > 1) {
    say(`${name}: found by ${found.length} aliases`);
    return;
  }
  const state = possible.find((candidate) => differences(link, candidate).length === 0);
  if (!state) say(`${name}: ${differences(link, known.state).join(', ')}`);
  else {
    witness.cutOff += known.underWay.length;
    if (state.modified !== known.state.modified) witness.madeThough++;
    witness.become(known, state);
  }
  known.underWay = [];
  if (link.hits < kept || link.hits > sent)
    say(`${name}: ${link.hits} hits, of ${kept} to ${sent}`);
}

/** Each finds the link that has it now, and none where it was given up. */
async function inspectAliases(store: Store, witness: Witness, say: Say): Promise<void> {
  const owners = new Map<string, string>();
  for (const { state } of witness.links.values()) {
    const alias = state.alias.toLowerCase();
    if (owners.has(alias)) say(`${alias}: two links have it`);
    owners.set(alias, state.id);
  }
  for (const alias of witness.aliases) {
    const owner = owners.get(alias.toLowerCase());
    const id = (await store.findLink(alias))?.id;
    if (id !== owner) say(`${alias}: leads to ${id}, not to ${owner}`);
  }
}

async function inspectAccounts(store: Store, witness: Witness, say: Say): Promise<void> {
  const unanswered = new Map<string | undefined, number>();
  for (const { token } of witness.unanswered) {
    unanswered.set(token, (unanswered.get(token) ?? 0) + 1);
  }
  for (const [token, links] of witness.tokens) {
    const account = await store.findAccount(hashToken(token));
    const { month } = await store.countLinks(account?.id ?? '', Date.now());
    const most = links + (unanswered.get(token) ?? 0);
    if (month < links || month > most) say(`an account has ${month} links, of ${links} to ${most}`);
  }
}
