import { t } from '../../i18n/translate.ts';
import { DESCRIPTION_MAX_CHARACTERS, TITLE_MAX_CHARACTERS } from '../../limits.ts';
import { Disclosure } from '../Disclosure.tsx';
import { Field } from '../Field.tsx';
import { InputField } from '../InputField.tsx';
import { lazy } from '../lazy.ts';
import { CardPreview } from './CardPreview.tsx';
import type { DestinationInputs, DestinationIssues } from './destination-inputs.ts';
import type { FormFields } from './form-fields.ts';
import { optionsOf } from './option-field.ts';

const RulesEditor = lazy(async () => (await import('../rules/RulesEditor.tsx')).RulesEditor);

export type DestinationFieldsProps = {
  fields: DestinationInputs & Pick<FormFields, 'title' | 'description'>;
  issues: DestinationIssues;
  /** The host of the short URL. */
  host: string;
  /** The destination, as it is in the form. */
  originalUrl: string;
  /** Whether the server knows from which country a visit comes. */
  knowsCountries(): Promise<boolean>;
  onChange: <K extends keyof DestinationInputs>(name: K, value: FormFields[K]) => void;
};

/** Where a link leads besides its destination, and what chats show of it. */
export function DestinationFields(props: DestinationFieldsProps) {
  const { fields, issues, host, onChange } = props;
  const option = optionsOf<DestinationInputs>(fields, issues, onChange);
  const { cardTitle, cardDescription, cardImageUrl } = fields;
  const hasCard = [cardTitle, cardDescription, cardImageUrl].some((text) => text.trim() !== '');
  const isCardInvalid = issues.cardTitle || issues.cardDescription || issues.cardImageUrl;
  return (
    <>
      <InputField
        label={t('field_gone_url')}
        hint={t('hint_gone_url')}
        isUrl
        {...option('goneUrl')}
      />
      <Disclosure label={t('rules_heading')} isOpen={fields.rules.length > 0}>
        {() => (
          <RulesEditor
            rules={fields.rules}
            issues={issues}
            originalUrl={props.originalUrl}
            knowsCountries={props.knowsCountries}
            onChange={(rules) => onChange('rules', rules)}
          />
        )}
      </Disclosure>
      <Disclosure label={t('card_heading')} isOpen={hasCard || isCardInvalid !== undefined}>
        <p class="hint">{t('card_hint')}</p>
        <InputField
          label={t('field_title')}
          dir="auto"
          maxLength={TITLE_MAX_CHARACTERS}
          {...option('cardTitle')}
        />
        <Field label={t('field_description')} issue={issues.cardDescription}>
          {(control) => (
            <textarea
              {...control}
              class="input"
              dir="auto"
              name="cardDescription"
              maxLength={DESCRIPTION_MAX_CHARACTERS}
              value={cardDescription}
              onInput={(event) => onChange('cardDescription', event.currentTarget.value)}
            />
          )}
        </Field>
        <InputField
          label={t('field_card_image')}
          hint={t('hint_card_image')}
          isUrl
          {...option('cardImageUrl')}
        />
        {hasCard && (
          <CardPreview
            host={host}
            title={cardTitle.trim() || fields.title}
            description={cardDescription.trim() || fields.description}
            imageUrl={cardImageUrl}
          />
        )}
      </Disclosure>
    </>
  );
}
