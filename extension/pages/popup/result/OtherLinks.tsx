import { formatCount } from '../../../../shared/i18n/plural.ts';
import { Icon } from '../../../../shared/ui/Icon.tsx';
import type { LinkSummary } from '../../../links/link.ts';
import { linkFacts } from './link-facts.ts';
import './other-links.css';

export type OtherLinksProps = { links: LinkSummary[]; onChoose: (link: LinkSummary) => void };

/** The page's other links, such as those with a password or an expiry date. */
export function OtherLinks({ links, onChoose }: OtherLinksProps) {
  return (
    <details class="other-links">
      <summary>
        <Icon name="chevron" />
        {formatCount('other_links', links.length)}
      </summary>
      <ul>
        {links.map((link) => (
          <li key={link.shortUrl}>
            <button type="button" class="link-button" onClick={() => onChoose(link)}>
              <bdi dir="ltr">{link.shortUrl.replace(/^https?:\/\//, '')}</bdi>
            </button>
            {linkFacts(link).map((fact) => (
              <span class="fact" key={fact}>
                {fact}
              </span>
            ))}
          </li>
        ))}
      </ul>
    </details>
  );
}
