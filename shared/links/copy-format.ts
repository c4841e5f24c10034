import { withoutProtocol } from './link-address.ts';

/** The text to copy: the short URL, alone or with the title of its target. */
export const COPY_FORMATS = ['url', 'markdown', 'title_and_url'] as const;
export type CopyFormat = (typeof COPY_FORMATS)[number];

/** Characters with a meaning in the text of a Markdown link (CommonMark 2.4, and GitHub's `~`). */
const MARKDOWN_SYNTAX = /[\\`*_[\]<>&~|$]/g;
const LINE_BREAKERS = /[\p{Cc}\s]+/gu;
/** Could reorder the URL after the title. */
const BIDI_CONTROLS = /[\u202a-\u202e\u2066-\u2069]/g;

export type Copied = {
  shortUrl: string;
  originalUrl: string;
  /** Title of the link or its page. It is untrusted. */
  title: string;
  /** Private title of the link. */
  label?: string | undefined;
};

/** Formats a link on one line. The URL replaces a missing title. */
export function formatCopy(
  { shortUrl, originalUrl, title, label = '' }: Copied,
  format: CopyFormat,
): string {
  const name = (title || label).replace(BIDI_CONTROLS, '').replace(LINE_BREAKERS, ' ').trim();
  switch (format) {
    case 'url':
      return shortUrl;
    case 'markdown': {
      const text = name || withoutProtocol(originalUrl).replace(/\/$/, '');
      return `[${text.replace(MARKDOWN_SYNTAX, '\\$&')}](${shortUrl})`;
    }
    case 'title_and_url':
      return name ? `${name} – ${shortUrl}` : shortUrl;
  }
}
