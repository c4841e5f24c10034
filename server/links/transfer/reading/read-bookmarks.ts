import { ServiceError } from '../../../lib/service-error.ts';
import {
  assertRowCount,
  type FileTable,
  ROW_MAX_CHARACTERS,
  type RowList,
  rowTooLarge,
} from './file-table.ts';

const ENTITIES = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
]);
/** Folders of the browser itself, whose names say nothing. */
const OWN_FOLDER = /\b(PERSONAL_TOOLBAR_FOLDER|UNFILED_BOOKMARKS_FOLDER)\b/i;

const FOLDERS_MAX = 100;

/** Begins a tag: other `<` are text. */
const TAG_START = /<[a-z/!]/gi;
const ATTRIBUTE = /(?<=\s)([\w:-]+)=(?:"([^"]*)"|'([^']*)'|([^\s"']+))/g;

type Bookmark = Record<'HREF' | 'Title' | 'TAGS' | 'ADD_DATE' | 'Description', string> & {
  Folder: string[];
};
type Folder = { name: string; isOwn: boolean };

/**
 * Bookmarks of a browser (Netscape Bookmark File Format), or Pocket's list of them. The first one is row 1. Not every program escapes texts,
 * so within one, tags that cannot end it are part of it, such as a link in a description.
 */
export async function readBookmarks(
  text: AsyncIterable<string>,
  list: RowList,
): Promise<FileTable> {
  const bookmarks = list.rows;
  /** What the lists around are called; those of the browser itself have no name. */
  const folders: string[] = [];
  let current: Bookmark | undefined;
  /** What the next list is called. */
  let heading: Folder | undefined;
  /** Takes the text after a tag, with the name of the tag that ends it. */
  let open: { end: string; add: (part: string) => void } | undefined;

  const finish = () => {
    open = undefined;
    size = 0;
    if (!current) return;
    const texts = { Title: decode(current.Title), Description: decode(current.Description) };
    const json = JSON.stringify({ ...current, ...texts });
    list.add({ row: bookmarks.length + 1, json });
    current = undefined;
  };
  /** Of the texts since the last bookmark. */
  let size = 0;
  const assertSize = (more: number) => {
    if (size + more <= ROW_MAX_CHARACTERS) return;
    throw rowTooLarge(bookmarks.length + 1);
  };
  const startText = (end: string, add: (part: string) => void, content: string) => {
    open = { end, add };
    add(content);
  };
  const onTag = (tag: string, content: string) => {
    size += `<${tag}>${content}`.length;
    assertSize(0);
    const space = tag.search(/\s/);
    const name = (space === -1 ? tag : tag.slice(0, space)).toLowerCase();
    if (name === 'dt' || name === 'li' || name === 'dl' || name === '/dl' || name === 'hr')
      finish();
    if (name === 'dl') {
      if (folders.length === FOLDERS_MAX) throw tooDeep(bookmarks.length + 1);
      folders.push(heading && !heading.isOwn ? decode(heading.name) : '');
      heading = undefined;
    } else if (name === '/dl') {
      folders.pop();
    } else if (name === 'dd' && current && open?.end !== '/dd') {
      const bookmark = current;
      startText('/dd', (part) => (bookmark.Description += part), content);
    } else if (open?.end === name) {
      open = undefined;
    } else if (open) {
      open.add(`<${tag}>${content}`);
    } else if (name === 'h3') {
      const folder = { name: '', isOwn: OWN_FOLDER.test(tag) };
      heading = folder;
      startText('/h3', (part) => (folder.name += part), content);
    } else if (name === 'a') {
      finish();
      assertRowCount(bookmarks.length + 1);
      const bookmark = toBookmark(tag, folders);
      current = bookmark;
      startText('/a', (part) => (bookmark.Title += part), content);
    }
  };

  let rest = '';
  for await (const part of text) {
    rest = readTags(rest + part, onTag);
    assertSize(rest.length);
  }
  // The text after the last tag ends with the file.
  readTags(`${rest}\n<!`, onTag);
  finish();
  const columns = ['HREF', 'Title', 'TAGS', 'Folder', 'ADD_DATE', 'Description'];
  return { kind: 'bookmarks', columns, rows: bookmarks };
}

/** Calls back for each tag with the text after it. Returns the last tag, whose text may go on. */
function readTags(text: string, onTag: (tag: string, content: string) => void): string {
  const findTag = (from: number) => {
    TAG_START.lastIndex = from;
    return TAG_START.exec(text)?.index ?? -1;
  };
  let start = findTag(0);
  if (start === -1) return text.slice(-1);
  for (;;) {
    const end = endOfTag(text, start);
    const next = end === -1 ? -1 : findTag(end);
    if (next === -1) return text.slice(start);
    onTag(text.slice(start + 1, end), text.slice(end + 1, next));
    start = next;
  }
}

const QUOTE_OR_END = /=(["'])|>/g;

/**
 * Returns where the tag ends, or -1 if it may go on. A `>` in a quoted attribute does not end it, as some programs
 * write tags and URLs; a quotation mark without another one in its line is none.
 */
function endOfTag(text: string, start: number): number {
  QUOTE_OR_END.lastIndex = start;
  for (;;) {
    const found = QUOTE_OR_END.exec(text);
    if (!found) return -1;
    const [, quote] = found;
    if (quote === undefined) return found.index;
    const from = QUOTE_OR_END.lastIndex;
    const close = text.indexOf(quote, from);
    const lineEnd = text.indexOf('\n', from);
    if (close === -1 && lineEnd === -1) return -1;
    if (close !== -1 && (lineEnd === -1 || close < lineEnd)) QUOTE_OR_END.lastIndex = close + 1;
  }
}

function toBookmark(tag: string, folders: string[]): Bookmark {
  const attributes = new Map<string, string>();
  for (const [, name = '', ...values] of tag.matchAll(ATTRIBUTE)) {
    const key = name.toUpperCase();
    if (!attributes.has(key)) attributes.set(key, decode(values.find((each) => each) ?? ''));
  }
  const of = (name: string) => attributes.get(name) ?? '';
  return {
    HREF: of('HREF'),
    Title: '',
    TAGS: of('TAGS'),
    ADD_DATE: of('ADD_DATE') || of('TIME_ADDED'),
    Description: '',
    Folder: folders.filter(Boolean),
  };
}

function tooDeep(row: number): ServiceError {
  return new ServiceError(
    'body_too_large',
    `Row ${row} is in more than ${FOLDERS_MAX} folders. Nothing was imported.`,
  );
}

/** Without white space around it. */
function decode(text: string): string {
  return text.trim().replace(/&(#?\w{1,8});/g, (entity, name: string) => {
    if (!name.startsWith('#')) return ENTITIES.get(name.toLowerCase()) ?? entity;
    const hex = /^#x/i.test(name);
    const code = Number.parseInt(name.slice(hex ? 2 : 1), hex ? 16 : 10);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : entity;
  });
}
