import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { type Abilities, NO_ABILITIES } from '../../abilities.ts';
import { DESCRIPTION_MAX_CHARACTERS, TITLE_MAX_CHARACTERS } from '../../bounds.ts';
import { t } from '../../i18n/translate.ts';
import type { LinkRecord } from '../../links/link-record.ts';
import { CleanedNote } from '../CleanedNote.tsx';
import { type Cleaned, cleanUrl } from '../clean-url.ts';
import { Disclosure } from '../Disclosure.tsx';
import type { DomainChoice } from '../DomainSelect.tsx';
import { Checkbox, Field, InputField, type TextFieldProps } from '../Field.tsx';
import { lazy } from '../lazy.ts';
import { AliasField, AliasSuggestions } from './AliasField.tsx';
import { CAMPAIGN_PARAMETERS, readParameter, withParameter } from './campaign.ts';
import { ExpiryFields } from './ExpiryFields.tsx';
import { type FoldedPart, hasIssueIn, summaryOf } from './form-summaries.ts';
import { LinkPreview } from './LinkPreview.tsx';
import type { FormIssues, LinkForm } from './link-form.ts';
import { LOCAL_TIME_INPUT } from './local-time.ts';
import { PasswordField } from './PasswordField.tsx';
import { PlainFields } from './PlainFields.tsx';
import './link-form.css';

const RulesEditor = lazy(async () => (await import('../rules/RulesEditor.tsx')).RulesEditor);

/** Shown on demand where there is little space. */
const MORE: FoldedPart[] = ['preview', 'rules', 'campaigns'];

type TextName = { [K in keyof LinkForm]: string extends LinkForm[K] ? K : never }[keyof LinkForm];

export type FormPartsProps = {
  form: LinkForm;
  issues: FormIssues;
  onChange: (changes: Partial<LinkForm>) => void;
  /** The link that is edited; undefined for a new one. */
  link?: LinkRecord | undefined;
  /** What precedes the alias in the short URL. Unknown until there is a server. */
  host: string | undefined;
  /** If there are several, the host is a choice. @default none */
  domains?: readonly DomainChoice[] | undefined;
  /** Free aliases instead of one that is taken. */
  suggestions: string[] | undefined;
  /** @default none */
  knownTags?: string[];
  abilities(): Promise<Abilities>;
  /** What was removed from the URL that was pasted last. Absent if URLs stay as they are. */
  cleaned?: Signal<Cleaned | undefined> | undefined;
  /** Whether there is little space: the destination of a new link is shown elsewhere, and some parts on demand. @default false */
  isCompact?: boolean;
};

/**
 * Renders all fields of a link, in parts: the most used are open, the others are folded to a line that says what is
 * set.
 */
export function FormParts(props: FormPartsProps) {
  const { form, issues, onChange, link, host, isCompact = false } = props;
  const abilities = useSignal(NO_ABILITIES);
  useEffect(() => {
    void props.abilities().then((known) => {
      abilities.value = known;
    });
  }, []);
  const text = (name: TextName): TextFieldProps => ({
    name,
    issue: issues[name],
    value: form[name] as string,
    onInput: ({ currentTarget: { value } }) => onChange({ [name]: value }),
  });
  const common = { form, issues, onChange };
  const part = (name: FoldedPart, label: string, children: ComponentChildren) => (
    <Disclosure
      label={label}
      summary={summaryOf(name, form, link?.hasPassword === true)}
      isOpen={hasIssueIn(name, issues)}
    >
      {children}
    </Disclosure>
  );
  const isMoreInvalid = MORE.some((name) => hasIssueIn(name, issues));
  const isHiddenOffered = form.startsAt !== '' || form.hideUntilStart;
  const hasContainer = abilities.value.hasContainers || form.customGtmId !== '';

  const more = (
    <>
      {part(
        'preview',
        t('card_heading'),
        <>
          <p class="hint">{t('card_hint')}</p>
          <InputField
            label={t('field_title')}
            dir="auto"
            maxLength={TITLE_MAX_CHARACTERS}
            {...text('cardTitle')}
          />
          <Field label={t('field_description')} issue={issues.cardDescription}>
            {(control) => (
              <textarea
                {...control}
                class="input"
                dir="auto"
                name="cardDescription"
                maxLength={DESCRIPTION_MAX_CHARACTERS}
                value={form.cardDescription}
                onInput={text('cardDescription').onInput}
              />
            )}
          </Field>
          <InputField
            label={t('field_card_image')}
            hint={t('hint_card_image')}
            isUrl
            {...text('cardImageUrl')}
          />
          <LinkPreview form={form} host={host ?? ''} />
        </>,
      )}
      <Disclosure
        label={t('part_rules')}
        summary={summaryOf('rules', form, false)}
        isOpen={hasIssueIn('rules', issues)}
      >
        {() => (
          <RulesEditor
            rules={form.rules}
            issues={issues}
            originalUrl={form.originalUrl}
            knowsCountries={abilities.value.hasCountries}
            onChange={(rules) => onChange({ rules })}
          />
        )}
      </Disclosure>
      {part(
        'campaigns',
        t('part_campaigns'),
        <>
          <CampaignFields {...common} />
          <PlainFields part="campaigns" {...common} without={hasContainer ? [] : ['customGtmId']} />
        </>,
      )}
    </>
  );

  return (
    <div class="link-fields">
      {(link || !isCompact) && (
        <Destination {...text('originalUrl')} cleaned={props.cleaned} onChange={onChange} />
      )}
      <AliasField
        host={host}
        hint={t(link ? 'hint_new_alias' : 'hint_alias')}
        domains={props.domains}
        onChooseDomain={(domain) => onChange({ domain })}
        {...text('customAlias')}
      />
      <AliasSuggestions
        aliases={props.suggestions}
        onChoose={(customAlias) => onChange({ customAlias })}
      />
      <PlainFields part="basics" {...common} knownTags={props.knownTags ?? []} />
      {part(
        'when',
        t('part_when'),
        <>
          <InputField
            label={t('field_starts_at')}
            hint={t('hint_starts_at')}
            {...LOCAL_TIME_INPUT}
            {...text('startsAt')}
          />
          <PlainFields
            part="when"
            {...common}
            without={isHiddenOffered ? [] : ['hideUntilStart']}
          />
          <ExpiryFields {...common} />
          <InputField
            label={t('field_max_visits')}
            hint={t('hint_max_visits')}
            class="input short"
            type="number"
            min={1}
            {...text('maxVisits')}
          />
          <InputField
            label={t('field_gone_url')}
            hint={t('hint_gone_url')}
            isUrl
            {...text('goneUrl')}
          />
        </>,
      )}
      {part(
        'protection',
        t('part_protection'),
        <>
          <PasswordField
            {...text('password')}
            username={`${host ?? ''}/${form.customAlias}`}
            isNew={link?.hasPassword === true}
            disabled={form.removesPassword}
          />
          {link?.hasPassword && (
            <Checkbox
              label={t('field_remove_password')}
              isChecked={form.removesPassword}
              onChange={(removesPassword) => onChange({ removesPassword })}
            />
          )}
          <PlainFields part="protection" {...common} />
        </>,
      )}
      {isCompact ? (
        <Disclosure label={t('advanced')} isOpen={isMoreInvalid}>
          {more}
        </Disclosure>
      ) : (
        more
      )}
    </div>
  );
}

type DestinationProps = TextFieldProps & Pick<FormPartsProps, 'cleaned' | 'onChange'>;

function Destination({ cleaned, onChange, ...field }: DestinationProps) {
  const group = useRef<HTMLDivElement>(null);
  const isPasted = useRef(false);
  return (
    <div class="field-group" ref={group}>
      <InputField
        label={t('field_target')}
        isUrl
        {...field}
        onPaste={() => {
          isPasted.current = true;
        }}
        onInput={({ currentTarget: { value } }) => {
          const pasted = cleaned && isPasted.current ? cleanUrl(value) : undefined;
          isPasted.current = false;
          if (cleaned && pasted) cleaned.value = pasted;
          onChange({ originalUrl: pasted?.url ?? value });
        }}
      />
      {cleaned && (
        <CleanedNote
          cleaned={cleaned.value}
          url={field.value}
          useFull={(originalUrl) => {
            onChange({ originalUrl });
            // The button is gone.
            group.current?.querySelector('input')?.focus();
          }}
        />
      )}
    </div>
  );
}

/** Parameters of the destination, which are no fields of the link. */
function CampaignFields({ form, onChange }: Pick<FormPartsProps, 'form' | 'onChange'>) {
  const { originalUrl } = form;
  return (
    <fieldset class="campaign">
      <legend class="label">{t('campaign_heading')}</legend>
      <p class="hint">{t('campaign_hint')}</p>
      <div class="pair">
        {CAMPAIGN_PARAMETERS.map(([name, label]) => (
          <InputField
            key={name}
            label={t(label)}
            dir="auto"
            disabled={originalUrl.trim() === ''}
            value={readParameter(originalUrl, name)}
            onInput={({ currentTarget: { value } }) =>
              onChange({ originalUrl: withParameter(originalUrl, name, value) })
            }
          />
        ))}
      </div>
    </fieldset>
  );
}
