import { readFileSync } from 'node:fs';

export type Instruction = { name: string; args: string };

export type Stage = { name: string; instructions: Instruction[] };

/** The stages of a Dockerfile, without comments and with joined lines. */
export function readStages(path: string): Stage[] {
  const text = readFileSync(path, 'utf8')
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n\s*/g, '');
  const stages: Stage[] = [];
  for (const line of text.split('\n').filter((line) => line !== '')) {
    const [name = '', ...rest] = line.split(' ');
    const [, stage = ''] = / AS (\S+)$/.exec(line) ?? [];
    if (name === 'FROM') stages.push({ name: stage, instructions: [] });
    else stages.at(-1)?.instructions.push({ name, args: rest.join(' ') });
  }
  return stages;
}

/** The arguments of all instructions with this name. */
export function argsOf({ instructions }: Stage, name: string): string[] {
  return instructions.filter((one) => one.name === name).map(({ args }) => args);
}

/** `NAME=value` pairs of all `ENV` instructions. */
export function environmentOf(stage: Stage): Record<string, string> {
  const pairs = argsOf(stage, 'ENV').flatMap((args) => args.split(' '));
  return Object.fromEntries(pairs.map((pair) => pair.split('=') as [string, string]));
}

/** The command of `CMD` or `HEALTHCHECK`, which is a JSON array. */
export function commandOf(stage: Stage, name: 'CMD' | 'HEALTHCHECK'): string[] {
  const [args = ''] = argsOf(stage, name);
  return JSON.parse(args.slice(args.indexOf('[')));
}
