import type { Command, Option } from 'commander';

/** A word that can follow, with its description. */
export type Word = { text: string; description: string };

/** What can follow a command. Where nothing is listed, shells complete the names of files. */
export type Spec = {
  /** Names of the command and its parents, such as `account create`; empty for the program. */
  path: string;
  /** Commands of this command, or the choices of its argument. */
  words: Word[];
  options: (Word & { takesValue: boolean; choices: string[] })[];
};

/** The program and all its commands. */
export function specsOf(command: Command, path = ''): Spec[] {
  const help = command.createHelp();
  const commands = help.visibleCommands(command);
  const choices = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
  return [
    {
      path,
      words: [
        ...commands.map((each) => ({ text: each.name(), description: each.description() })),
        ...choices.map((text) => ({ text, description: '' })),
      ],
      options: help.visibleOptions(command).map(toWord),
    },
    ...command.commands.flatMap((each) => specsOf(each, `${path} ${each.name()}`.trim())),
  ];
}

function toWord({ long, short, description, required, optional, argChoices }: Option) {
  return {
    text: long ?? short ?? '',
    description,
    takesValue: required || optional,
    choices: argChoices ?? [],
  };
}

/** A string of a shell script, in single quotes, which bash and zsh read alike. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
