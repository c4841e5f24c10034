import { NewToken } from './NewToken.tsx';

export type CreatedTokenProps = {
  created: { id: string; token: string; name: string } | undefined;
  origin: string;
  onClose(): void;
};

/** The place below a form in which the token that it has created appears. */
export function CreatedToken({ created, origin, onClose }: CreatedTokenProps) {
  return (
    <div role="status">
      {created && (
        <NewToken
          key={created.id}
          token={created.token}
          name={created.name}
          origin={origin}
          onClose={onClose}
        />
      )}
    </div>
  );
}
