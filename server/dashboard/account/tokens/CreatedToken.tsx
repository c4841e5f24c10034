import type { Signal } from '@preact/signals';
import { NewToken } from './NewToken.tsx';

export type CreatedTokenProps = {
  created: Signal<{ id: string; token: string; name: string } | undefined>;
  origin: string;
};

/** The place below a form in which the token that it has created appears. */
export function CreatedToken({ created, origin }: CreatedTokenProps) {
  return (
    <div role="status">
      {created.value && (
        <NewToken
          key={created.value.id}
          token={created.value.token}
          name={created.value.name}
          origin={origin}
          onClose={() => {
            created.value = undefined;
          }}
        />
      )}
    </div>
  );
}
