type AnnouncementProps = {
  text: string | false | undefined;
  /** Number of the result: a new one is announced even if its text is that of the one before. */
  number: number;
};

/** Tells users of screen readers what came of a search. */
export function Announcement({ text, number }: AnnouncementProps) {
  return (
    <p class="visually-hidden" role="status">
      {text && <span key={number}>{text}</span>}
    </p>
  );
}
