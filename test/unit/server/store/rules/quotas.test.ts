import { describe, expect, test } from 'vitest';
import { fromLinkJson } from '../../../../../server/store/link.ts';
import type { LinkChanges } from '../../../../../server/store/link-calls.ts';
import { decideAdd } from '../../../../../server/store/rules/add-link.ts';
import { type AliasHolder, aliasState } from '../../../../../server/store/rules/aliases.ts';
import type { Facts } from '../../../../../server/store/rules/change.ts';
import { editLink } from '../../../../../server/store/rules/edit-link.ts';
import { editOf, newLink } from '../../../../store/contract.ts';

/** `u…` is unused, `o…` the account's own, and others are taken. */
function holderOf(alias: string): AliasHolder | undefined {
  const first = alias.charAt(0).toLowerCase();
  if (first === 'u') return undefined;
  return { accountId: first === 'o' ? 'account-1' : 'account-2' };
}

const stateOf = (alias: string) => aliasState(holderOf(alias), 'account-1');

describe('a new link', () => {
  const decide = (
    importKey: string | null,
    [alias = '', ...previousAliases]: string[],
    left: number,
    units = 1,
  ) =>
    decideAdd(
      { link: { previousAliases, importKey }, quota: 9 },
      { alias, stateOf, used: 9 - left, units },
    );

  test.each([
    ['a link that is made counts as one', null, ['u'], 1],
    ['also with an alias of its account', null, ['o'], 1],
    ['an imported link counts as its new aliases', 'row', ['u', 'u1', 'u2'], 3],
    ['not for those of its account', 'row', ['o', 'o1', 'u'], 1],
    ['not for those that are taken', 'row', ['u', 't', 'u1'], 2],
    ['not twice for one alias, whatever its case', 'row', ['u', 'U', 'u1', 'U1'], 2],
  ])('%s', (_, importKey, aliases, cost) => {
    expect(decide(importKey, aliases, cost)).toMatchObject({ kind: 'add', cost });
    expect(decide(importKey, aliases, cost - 1)).toEqual({ kind: 'quota_exceeded' });
  });

  test.each([
    ['a link that is made', null, ['u'], 3],
    ['an imported link', 'row', ['u', 'u1'], 4],
    ['one with an alias of its account', 'row', ['o'], 2],
  ])('counts its size, too: %s', (_, importKey, aliases, cost) => {
    expect(decide(importKey, aliases, cost, 3)).toMatchObject({ kind: 'add', cost });
    expect(decide(importKey, aliases, cost - 1, 3)).toEqual({ kind: 'quota_exceeded' });
  });

  test('that counts nothing is added even if the quota is used up', () => {
    expect(decide('row', ['o', 'o1'], 0)).toMatchObject({ kind: 'add', cost: 0 });
    expect(decide('row', ['o', 'o1'], -5)).toMatchObject({ kind: 'add', cost: 0 });
  });

  test('has the previous aliases that are available, and its quota is checked before its alias', () => {
    const previousAliases = ['o', 'U1'];
    expect(decide('row', ['u', 't', 'o', 'O', 'U1'], 9)).toMatchObject({ previousAliases });
    expect(decide(null, ['t'], 1)).toEqual({ kind: 'alias_taken' });
    expect(decide(null, ['t'], 0)).toEqual({ kind: 'quota_exceeded' });
  });
});

describe('a rename', () => {
  const before = fromLinkJson('link-1', {
    ...newLink('').link,
    alias: 'now',
    previousAliases: ['previous'],
  });
  const decide = (changes: LinkChanges, left: number, isBlocked = false) => {
    const edit = { ...editOf(before, changes), quota: 9 };
    const facts = {
      get: (kind: string) =>
        ({ link: before, block: isBlocked ? { reason: '' } : undefined, quota: 9 - left })[kind],
      holder: holderOf,
    };
    return editLink(edit).decide(facts as unknown as Facts);
  };

  test.each([
    ['u', 1],
    ['o', 0],
    ['previous', 0],
    ['NOW', 0],
  ])('to %s counts as %i', (alias, cost) => {
    const { outcome, records } = decide({ alias }, cost);
    expect(outcome.kind).toBe('edited');
    expect(records.filter(([kind]) => kind === 'quota').map(([, , count]) => count)).toEqual(
      cost > 0 ? [9] : [],
    );
    expect(decide({ alias }, cost - 1).outcome.kind).toBe(cost > 0 ? 'quota_exceeded' : 'edited');
  });

  test('checks the block, then the quota, then the alias', () => {
    const outcomeOf = (...call: Parameters<typeof decide>) => decide(...call).outcome.kind;
    expect(outcomeOf({ alias: 't' }, 0, true)).toBe('link_blocked');
    expect(outcomeOf({ alias: 't' }, 0)).toBe('quota_exceeded');
    expect(outcomeOf({ alias: 't' }, 1)).toBe('alias_taken');
    expect(outcomeOf({ title: 'only' }, 0, true)).toBe('edited');
  });
});
