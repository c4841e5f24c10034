/** What goes to the clipboard: the short URL, alone or with the title of what it leads to. */
export const COPY_FORMATS = ['url', 'markdown', 'title_and_url'] as const;
export type CopyFormat = (typeof COPY_FORMATS)[number];

/** What Markdown would read as more than itself inside a link's text (CommonMark 2.4, and GitHub's `~`). */
const MARKDOWN_SYNTAX = /[\\`*_[\]<>&~|$]/g;
const LINE_BREAKERS = /[\p{Cc}\s]+/gu;
/** They could make the address after the title read as another. */
const DIRECTION_TURNERS = /[\u202a-\u202e\u2066-\u2069]/g;

export type Copied = {
  shortUrl: string;
  originalUrl: string;
  /** Of the link, its page, or the text that led to it; pages write anything into theirs. */
  title: string;
};

/** The text to copy, on one line. A link without a title is called by its address. */
export function formatCopy({ shortUrl, originalUrl, title }: Copied, format: CopyFormat): string {
  const name = title.replace(DIRECTION_TURNERS, '').replace(LINE_BREAKERS, ' ').trim();
  switch (format) {
    case 'url':
      return shortUrl;
    case 'markdown': {
      const text = name || originalUrl.replace(/^https?:\/\//i, '').replace(/\/$/, '');
      return `[${text.replace(MARKDOWN_SYNTAX, '\\$&')}](${shortUrl})`;
    }
    case 'title_and_url':
      return name ? `${name} – ${shortUrl}` : shortUrl;
  }
}
