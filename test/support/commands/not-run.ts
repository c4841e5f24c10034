import { beforeAll, describe, test } from 'vitest';
import { notRun } from '../not-run.ts';

test('a first one runs', () => {});

test('one that needs a program', () => notRun('Install the program.'));

describe('all that need another', () => {
  beforeAll(() => notRun('Install the other program.'));
  test('of them', () => {});
});
