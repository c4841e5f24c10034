import { describe, expect, test } from 'vitest';
import { decideAdd } from '../../../../../server/store/decide/add-link.ts';
import type { AliasState } from '../../../../../server/store/decide/alias-state.ts';
import { decideEdit } from '../../../../../server/store/decide/edit-link.ts';
import type { LinkChanges } from '../../../../../server/store/link.ts';
import { editOf, newLink } from '../../../../store/contract.ts';

/** `u…` is unused, `o…` the account's own, `t…` taken. */
function stateOf(alias: string): AliasState {
  const states: Record<string, AliasState> = { u: 'unused', o: 'own' };
  return states[alias.charAt(0).toLowerCase()] ?? 'taken';
}

describe('a new link', () => {
  const decide = (
    importKey: string | null,
    [alias = '', ...furtherAliases]: string[],
    left: number,
  ) =>
    decideAdd(
      { link: { furtherAliases, importKey }, quota: 9 },
      { alias, stateOf, used: 9 - left },
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

  test('that counts nothing is added even if the quota is used up', () => {
    expect(decide('row', ['o', 'o1'], 0)).toMatchObject({ kind: 'add', cost: 0 });
    expect(decide('row', ['o', 'o1'], -5)).toMatchObject({ kind: 'add', cost: 0 });
  });

  test('has the further aliases that are available, and its quota is checked before its alias', () => {
    const furtherAliases = ['o', 'U1'];
    expect(decide('row', ['u', 't', 'o', 'O', 'U1'], 9)).toMatchObject({ furtherAliases });
    expect(decide(null, ['t'], 1)).toEqual({ kind: 'alias_taken' });
    expect(decide(null, ['t'], 0)).toEqual({ kind: 'quota_exceeded' });
  });
});

describe('a rename', () => {
  const before = { ...newLink('').link, alias: 'now', furtherAliases: ['previous'] };
  const decide = (changes: LinkChanges, left: number, isBlocked = false) => {
    const edit = { ...editOf(before, changes), quota: 9 };
    return decideEdit(edit, { before, isBlocked, stateOf, used: 9 - left });
  };

  test.each([
    ['u', 1],
    ['o', 0],
    ['previous', 0],
    ['NOW', 0],
  ])('to %s counts as %i', (alias, cost) => {
    expect(decide({ alias }, cost)).toMatchObject({ kind: 'edit', cost });
    expect(decide({ alias }, cost - 1).kind).toBe(cost > 0 ? 'quota_exceeded' : 'edit');
  });

  test('checks the block, then the quota, then the alias', () => {
    expect(decide({ alias: 't' }, 0, true)).toEqual({ kind: 'link_blocked' });
    expect(decide({ alias: 't' }, 0)).toEqual({ kind: 'quota_exceeded' });
    expect(decide({ alias: 't' }, 1)).toEqual({ kind: 'alias_taken' });
    expect(decide({ title: 'only' }, 0, true)).toMatchObject({ kind: 'edit', cost: 0 });
  });
});
