const WORDS = 4000;
const TAGS = 200;
const RARE_EVERY = 20_000;
const SYLLABLES = 'ba be da fi go ha ki lo ma ne po ra se ti vu wa xo ya zu'.split(' ');

/** Few links have it in their titles. Made of syllables that all links have. */
export const RARE_WORD = 'zuyaxowavu';
/** Few links have it. */
export const RARE_TAG = 'Quarterly';

/** Texts like those of real links, the same in each run. */
export function describeLink(number: number): object {
  const draws = new Draws(number);
  const title = Array.from({ length: 3 + draws.next(4) }, () => word(draws.next(WORDS)));
  const path = Array.from({ length: 3 }, () => word(draws.next(WORDS))).join('-');
  const tags = Array.from({ length: draws.next(3) }, () => commonTag(draws.next(TAGS)));
  if (number % RARE_EVERY === 7) title.push(RARE_WORD);
  if (number % RARE_EVERY === 11) tags.push(RARE_TAG);
  return {
    originalUrl: `https://www.example.com/${word(draws.next(WORDS))}/${path}?id=${draws.next(1e9)}`,
    title: title.join(' ').toUpperCase(),
    ...(tags.length > 0 && { tags: [...new Set(tags)] }),
  };
}

export function commonTag(number: number): string {
  return `Tag ${word(number)}`;
}

/** Different words of two to four syllables. */
export function word(number: number): string {
  let text = '';
  for (let rest = number + SYLLABLES.length; rest > 0; rest = Math.floor(rest / SYLLABLES.length)) {
    text += SYLLABLES[rest % SYLLABLES.length];
  }
  return text;
}

/** Numbers that look random and depend only on the seed. */
class Draws {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** From 0 to `end` - 1. */
  next(end: number): number {
    this.#state = (Math.imul(this.#state ^ 0x5bd1e995, 0x9e3779b1) + 0x7f4a7c15) | 0;
    const mixed = Math.imul(this.#state ^ (this.#state >>> 16), 0x45d9f3b);
    return ((mixed ^ (mixed >>> 13)) >>> 0) % end;
  }
}
