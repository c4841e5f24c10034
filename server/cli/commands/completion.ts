import { Argument, type Command } from 'commander';
import { toBash } from '../completion/bash.ts';
import { toFish } from '../completion/fish.ts';
import { specsOf } from '../completion/specs.ts';
import { toZsh } from '../completion/zsh.ts';
import type { Context } from '../context.ts';

const SHELLS = { bash: toBash, zsh: toZsh, fish: toFish };
type Shell = keyof typeof SHELLS;

export function addCompletion(program: Command, { output }: Context): void {
  program
    .command('completion')
    .description('print a script with which a shell completes commands and options')
    .addArgument(new Argument('<shell>', 'your shell').choices(Object.keys(SHELLS)))
    .addHelpText('after', EXAMPLES)
    .action((shell: Shell) => {
      const script = SHELLS[shell](specsOf(program));
      output.result({ shell, script }, script.trimEnd().split('\n'));
    });
}

const EXAMPLES = `
Examples:
  $ eval "$(curt completion bash)"        # in ~/.bashrc
  $ eval "$(curt completion zsh)"         # in ~/.zshrc, after compinit
  $ curt completion fish | source         # in ~/.config/fish/config.fish`;
