import type { Readable } from 'node:stream';
import { IMPORT_BODY_MAX_BYTES } from '../../../../shared/bounds.ts';
import type { Encoding } from '../../../../shared/links/transfer-formats.ts';
import { ServiceError, withIssue } from '../../../lib/service-error.ts';

/** Parsed at once. Chunks can be as large as the whole file. */
const SLICE_BYTES = 64 * 1024;
const MEBIBYTE = 1024 * 1024;
/** Tell what kind of file it is. */
const HEAD_BYTES = 4;
/** Bytes of a character in UTF-8 that can come without its last one. */
const CUT_MAX_BYTES = 3;

/** The first bytes of files that are no text, and what to do with them. */
const NOT_TEXT: [start: string, what: string][] = [
  ['504b0304', 'a workbook or another archive: save it as CSV'],
  ['d0cf11e0', 'a workbook: save it as CSV'],
  ['1f8b', 'compressed: unpack it'],
  ['25504446', 'a PDF document: export the links as CSV'],
  ['53514c69', 'an SQLite database: export the table of the links as CSV'],
];

export type ReadTextOptions = {
  /** Called with the size of each chunk before it is used; can throw. */
  reserve: (bytes: number) => void;
  /** Awaited before each slice, so that files that are read at once share the processor with requests. */
  nextTurn: () => Promise<void>;
  /** Detected if omitted. */
  encoding?: Encoding | undefined;
};

/**
 * Decodes a file in slices, without its byte order mark. Leaves the stream open, so that the response
 * to an invalid file can be sent.
 *
 * @returns the encoding, which is certain at the end only
 * @throws ServiceError `body_too_large` before more than 16 MiB are read, or `invalid_request` if it is no
 *   text, or its encoding is unknown
 */
export function readText(stream: Readable, { reserve, nextTurn, encoding }: ReadTextOptions) {
  const decoder = new Decoder(encoding);
  async function* slices(): AsyncGenerator<string> {
    let bytes = 0;
    let head: Buffer = Buffer.alloc(0);
    for await (const chunk of stream.iterator({
      destroyOnReturn: false,
    }) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > IMPORT_BODY_MAX_BYTES) throw fileTooLarge();
      reserve(chunk.length);
      const isStart = bytes === chunk.length || head.length > 0;
      head = isStart ? Buffer.concat([head, chunk]) : chunk;
      if (isStart && bytes < HEAD_BYTES) continue;
      for (let start = 0; start < head.length; start += SLICE_BYTES) {
        await nextTurn();
        yield decoder.decode(head.subarray(start, start + SLICE_BYTES));
      }
      head = Buffer.alloc(0);
    }
    if (head.length > 0) yield decoder.decode(head);
    yield decoder.end();
  }
  return { text: slices(), encoding: () => decoder.encoding };
}

/** Decodes UTF-8 and UTF-16, and what is certainly Windows-1252. */
class Decoder {
  #decoder: TextDecoder | undefined;
  #encoding: Encoding | undefined;
  /** Those of a character whose end is missing. */
  #cut: Buffer = Buffer.alloc(0);
  #isAscii = true;
  readonly #isGiven: boolean;

  constructor(encoding: Encoding | undefined) {
    this.#isGiven = encoding !== undefined;
    if (encoding) this.#use(encoding);
  }

  get encoding(): Encoding {
    return this.#encoding ?? 'utf-8';
  }

  decode(bytes: Buffer): string {
    if (this.#encoding && isCodePage(this.#encoding)) return decodeCodePage(this.#encoding, bytes);
    if (!this.#decoder) {
      assertText(bytes);
      this.#use(unicodeEncodingOf(bytes));
    }
    if (this.#encoding !== 'utf-8' || this.#isGiven) return this.#decodeNext(bytes);
    // All of a cut character is needed to tell whether it is UTF-8.
    const whole = Buffer.concat([this.#cut, bytes]);
    const end = endOfWhole(whole);
    this.#cut = whole.subarray(end);
    return this.#decodeUtf8(whole.subarray(0, end));
  }

  end(): string {
    const rest = this.#cut.length > 0 ? this.#decodeUtf8(this.#cut) : '';
    this.#cut = Buffer.alloc(0);
    try {
      return rest + (this.#decoder?.decode() ?? '');
    } catch {
      throw unknownEncoding(this.encoding, this.#isGiven);
    }
  }

  #use(encoding: Encoding): void {
    this.#encoding = encoding;
    if (!isCodePage(encoding)) this.#decoder = new TextDecoder(encoding, { fatal: true });
  }

  #decodeUtf8(bytes: Buffer): string {
    try {
      const text = this.#decodeNext(bytes);
      this.#isAscii &&= text.length === bytes.length;
      return text;
    } catch (error) {
      if (!this.#isAscii || !isWestern(bytes)) throw error;
      this.#use('windows-1252');
      return this.#decodeNext(bytes);
    }
  }

  #decodeNext(bytes: Buffer): string {
    const isGuess = this.#encoding === 'windows-1252' && !this.#isGiven;
    if (!isGuess || isWestern(bytes)) {
      try {
        const text = this.#decoder?.decode(bytes, { stream: true }) ?? '';
        if (!text.includes('\0')) return text;
      } catch {
        // Reported below.
      }
    }
    throw unknownEncoding(this.encoding, this.#isGiven);
  }
}

/** By the byte order mark, or by the null characters of English letters in UTF-16. */
function unicodeEncodingOf(bytes: Buffer): Encoding {
  const [one, two, three, four] = bytes;
  if (one === 0xff && two === 0xfe) return 'utf-16le';
  if (one === 0xfe && two === 0xff) return 'utf-16be';
  if (one && two === 0 && three && four === 0) return 'utf-16le';
  if (one === 0 && two && three === 0 && four) return 'utf-16be';
  return 'utf-8';
}

function assertText(bytes: Buffer): void {
  const start = bytes.subarray(0, HEAD_BYTES).toString('hex');
  const [, what] = NOT_TEXT.find(([hex]) => start.startsWith(hex)) ?? [];
  if (what) throw new ServiceError('invalid_request', `The file is ${what}.`);
}

/** Where a character begins that may not be complete. */
function endOfWhole(bytes: Buffer): number {
  const least = Math.max(0, bytes.length - CUT_MAX_BYTES);
  let end = bytes.length;
  while (end > least && (bytes[end - 1] ?? 0) >= 0x80) end--;
  return end > least ? end : bytes.length;
}

function unknownEncoding(encoding: Encoding, isGiven: boolean): ServiceError {
  const message = isGiven
    ? `The file is not encoded in ${encoding}.`
    : 'The file is not encoded in UTF-8, and nothing says in what. Choose its encoding, or save it as UTF-8.';
  return withIssue('encoding', message);
}

export function fileTooLarge(): ServiceError {
  return new ServiceError(
    'body_too_large',
    `The file is larger than ${IMPORT_BODY_MAX_BYTES / MEBIBYTE} MiB. Split it into several files.`,
  );
}

/**
 * Letters and signs of western European texts. Not `š` and `ž`, which Windows-1250 has at the same places, for
 * Slavic languages, nor `Ã` and `Â`, with which UTF-8 begins.
 */
const LETTERS = 'ÄÖÜäöüßÉéÁáÍíÓóÚúÇçëËîÎâôÔýàèêïñùûòìåæøãõœÀÈÊÑÅÆØŒ€„“”‘’–—…«»§©®°´·¿¡ªº£²½\u00a0';
const NO_BREAK_SPACE = 0xa0;
/** In western European languages, no more of these letters follow one another. In others, words consist of them. */
const RUN_MAX = 2;

/** Signs that are letters on a Macintosh or in MS-DOS. There, they are within words: `sch”n` is `schön`. */
const NEVER_IN_WORDS = new Set([...'€„…“”«»¥'].map(toWindows1252));

function isLetter(byte: number | undefined): boolean {
  return byte !== undefined && (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a;
}

const western = new Set([...LETTERS].map(toWindows1252));

/** Whether the bytes can be Windows-1252 and hardly another encoding of a region, such as Windows-1251. */
function isWestern(bytes: Uint8Array): boolean {
  let [run, before] = [0, 0];
  for (const [index, byte] of bytes.entries()) {
    if (NEVER_IN_WORDS.has(byte) && isLetter(bytes[index - 1]) && isLetter(bytes[index + 1])) {
      return false;
    }
    if (byte < 0x80 || byte === NO_BREAK_SPACE) run = 0;
    else if (!western.has(byte)) return false;
    else if (byte !== before && ++run > RUN_MAX) return false;
    before = byte;
  }
  return true;
}

/** What `TextDecoder` reverses: the signs from 80 to 9F are elsewhere in Unicode. */
function toWindows1252(character: string): number {
  const signs = new TextDecoder('windows-1252').decode(
    Uint8Array.from({ length: 32 }, (_, index) => 0x80 + index),
  );
  const index = signs.indexOf(character);
  return index === -1 ? (character.codePointAt(0) ?? 0) : 0x80 + index;
}

/** Characters 80 to FF of the code pages of MS-DOS, which `TextDecoder` does not know. */
const CODE_PAGES = {
  cp437:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0',
  cp850:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0',
  cp852:
    'ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\u00ad˝˛ˇ˘§÷¸°¨˙űŘř■\u00a0',
} as const;
type CodePage = keyof typeof CODE_PAGES;

function isCodePage(encoding: string): encoding is CodePage {
  return encoding in CODE_PAGES;
}

function decodeCodePage(encoding: CodePage, bytes: Uint8Array): string {
  const upper = CODE_PAGES[encoding];
  let text = '';
  for (const byte of bytes) text += byte < 0x80 ? String.fromCharCode(byte) : upper[byte - 0x80];
  return text;
}
