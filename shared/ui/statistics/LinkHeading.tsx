import type { ComponentChildren } from 'preact';

export type LinkHeadingProps = {
  shortUrl: string;
  /** Empty if it has none, or while it is read. */
  title: string;
  /** Beside the link. */
  children?: ComponentChildren;
};

/** Says which link the statistics are about. */
export function LinkHeading({ shortUrl, title, children }: LinkHeadingProps) {
  return (
    <div class="statistics-link">
      {title && (
        <h2 class="statistics-title">
          <bdi>{title}</bdi>
        </h2>
      )}
      <a href={shortUrl} target="_blank" rel="noreferrer" dir="ltr">
        {shortUrl.replace(/^https?:\/\//, '')}
      </a>
      {children}
    </div>
  );
}
