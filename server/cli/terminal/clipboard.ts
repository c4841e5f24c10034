import { spawn } from 'node:child_process';

/** Programs that copy their standard input. Those of other systems are not there. */
const PROGRAMS: [name: string, ...args: string[]][] = [
  ['pbcopy'],
  ['wl-copy'],
  ['xclip', '-selection', 'clipboard'],
  ['xsel', '--clipboard', '--input'],
  // Windows, also from its Linux.
  ['clip.exe'],
];

/**
 * Copies a text with the first program that can, or else asks the terminal to, which also works over SSH.
 *
 * @returns false if there is no program, and standard error is no terminal
 */
export async function copyText(content: string): Promise<boolean> {
  for (const [name, ...args] of PROGRAMS) if (await pipeTo(name, args, content)) return true;
  if (!process.stderr.isTTY) return false;
  // OSC 52. Some terminals ignore it.
  process.stderr.write(`\x1b]52;c;${Buffer.from(content).toString('base64')}\x07`);
  return true;
}

/** @returns whether the program is there, and succeeded */
function pipeTo(name: string, args: string[], content: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  // xclip and wl-copy leave a process behind that serves the text: it must not have our output.
  const child = spawn(name, args, { stdio: ['pipe', 'ignore', 'ignore'] });
  child.once('error', () => resolve(false));
  child.once('exit', (code) => resolve(code === 0));
  child.stdin.on('error', () => {});
  child.stdin.end(content);
  return promise;
}
