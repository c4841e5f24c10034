import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { formatCount } from '../../../../shared/i18n/plural.ts';
import type { LinkReference, Send } from '../../../messaging/protocol.ts';
import { readVisitsToday } from './visits-today.ts';

/** Today's visits of a link, once they are known. */
export function VisitsToday({ reference, send }: { reference: LinkReference; send: Send }) {
  const count = useSignal<number | undefined>(undefined);
  useEffect(() => {
    void readVisitsToday(send, reference).then((visits) => {
      count.value = visits;
    });
  }, []);
  if (count.value === undefined) return null;
  return <span class="visits-today">{formatCount('visits_today', count.value)}</span>;
}
