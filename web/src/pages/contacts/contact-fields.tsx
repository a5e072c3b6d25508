import { i18n, type MessageDescriptor } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { type ReactNode, useId, useState } from 'react'
import {
  type ContactKindName,
  contactTraits,
  isContactKindName,
  statefulKindNames,
} from '#core/contacts/contact-kinds.ts'
import type { AddedContact, ContactContent, ContactRecord } from '../../api/contacts.ts'
import { AcknowledgeLinkField, AlertRulesFields, BundleField, readAlertRules } from '../../parts/form/alert-rules.tsx'
import { TextField } from '../../parts/form/field.tsx'
import type { Values } from '../../parts/form/form.tsx'
import { Fieldset } from '../../parts/schema/fieldset.tsx'
import { readObject } from '../../parts/schema/read.ts'
import { SchemaField } from '../../parts/schema/schema-field.tsx'
import { TagsField, readTags } from '../../parts/form/tags-field.tsx'
import { useToast } from '../../parts/overlays/toast.tsx'
import { useSendsMail } from '../../session/session.ts'
import { type KindWords, isMailbox, kinds } from './contact-words.ts'
import { NoMail } from './no-mail.tsx'
import { useContactForms, useContactsApi, useContactsChanged } from './use-contacts.ts'

/** Reads what `ContactFields` of a form say. */
export function useReadContact(): (kind: string, value: Values, sent: FormData) => ContactContent {
  const forms = useContactForms()
  return (kind, value, sent) => {
    const schema = isContactKindName(kind) ? forms[kind].options : {}
    const hasOptions = Object.keys(schema.properties ?? {}).length > 0
    const options = hasOptions ? { options: readObject(schema, 'options', sent) } : {}
    const rules = { alert_rules: readAlertRules(sent, 'contact') }
    const words = { name: value('name'), tags: readTags(sent) }
    return { ...words, destination: value('destination').trim(), ...options, ...rules }
  }
}

type Add = (kind: KindWords, value: Values, sent: FormData) => Promise<AddedContact>

/** Adds what `ContactFields` of a form say. */
export function useStoreContact(): Add {
  const api = useContactsApi()
  const changed = useContactsChanged()
  const read = useReadContact()
  return async ({ kind }, value, sent) => {
    const added = await api.add({ kind, ...read(kind, value, sent) })
    await changed()
    return added
  }
}

/** The same, and tells what comes of it. */
export function useAddContact(): Add {
  const store = useStoreContact()
  const toast = useToast()
  const sendsMail = useSendsMail()
  return async (words, value, sent) => {
    const { kind } = words
    const added = await store(words, value, sent)
    const { name, destination, confirmed } = added.contact
    if (isMailbox(kind) && !sendsMail) toast(t`${name} is added. This installation sends no mail.`)
    else if (!confirmed) toast(t`A confirmation mail is on its way to ${destination}.`)
    else if (added.secret === null) toast(t`${name} gets alerts from now on.`)
    return added
  }
}

type FieldsProps = {
  kind: KindWords
  /** Null where the kind stays. */
  onKind: ((kind: KindWords) => void) | null
  /** A name that is proposed until one is typed. */
  proposedName?: string
  /** A mail address that is proposed. */
  proposedEmail?: string
  /** The contact that is changed. */
  held?: ContactRecord
}

/** The fields of a contact. */
export function ContactFields({ kind, onKind, proposedName = '', proposedEmail = '', held }: FieldsProps): ReactNode {
  const { label, placeholder, hint } = kind.destination
  const isMail = isMailbox(kind.kind)
  const sendsMail = useSendsMail()
  const [typedName, setTypedName] = useState<string | null>(null)
  const { isPersonal, bundleSeconds, isAddressSecret } = contactTraits[kind.kind]
  return (
    <>
      {onKind === null ? <FixedKind kind={kind} /> : <Kinds chosen={kind} onChoose={onKind} />}
      {isMail && !sendsMail && <NoMail />}
      <TextField
        name="name"
        label={t`Name`}
        autoComplete="off"
        value={typedName ?? held?.name ?? proposedName}
        onChange={(event) => setTypedName(event.currentTarget.value)}
        hint={t`A name that people recognise, such as “On call”.`}
      />
      <TextField
        key={kind.kind}
        name="destination"
        data-secret={isAddressSecret ? '' : undefined}
        label={i18n._(label)}
        placeholder={placeholder}
        hint={i18n._(hint)}
        type={isMail ? 'email' : 'text'}
        inputMode={isMail ? 'email' : placeholder.includes('://') ? 'url' : 'text'}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        defaultValue={held?.destination ?? (isMail ? proposedEmail : '')}
      />
      {kind.kind !== 'web_push' && <Options kind={kind.kind} held={held ?? null} />}
      <AcknowledgeLinkField
        key={`${kind.kind} link`}
        isChosen={held === undefined ? isPersonal : held.alert_rules?.acknowledge_link === true}
      />
      {bundleSeconds !== null && (
        <BundleField
          key={`${kind.kind} bundle`}
          isChosen={held === undefined || held.alert_rules?.bundle === true}
          seconds={bundleSeconds}
        />
      )}
      <AlertRulesFields
        held={held?.alert_rules ?? null}
        of="contact"
        {...(statefulKindNames.includes(kind.kind) ? { without: 'maintenance' } : {})}
      />
      <TagsField held={held?.tags ?? []} />
    </>
  )
}

/** What the kind adds, as its schema describes it. A subscription is the browser's, and nothing that people type. */
function Options({ kind, held }: { kind: ContactKindName; held: ContactRecord | null }): ReactNode {
  const { options } = useContactForms()[kind]
  return Object.entries(options.properties ?? {}).map(([member, schema]) => (
    <SchemaField
      key={`${kind}.${member}`}
      schema={schema}
      name={`options.${member}`}
      initial={held?.options?.[member]}
      isKept={held !== null}
      isRequired={options.required?.includes(member) ?? false}
    />
  ))
}

function FixedKind({ kind }: { kind: KindWords }): ReactNode {
  return (
    <Fieldset name="kind" legend={t`Kind`}>
      <span className="text-sm">{i18n._(kind.title)}</span>
    </Fieldset>
  )
}

type KindsProps = { chosen: KindWords; onChoose: (kind: KindWords) => void }

/** Where there is no room to describe each kind, only the chosen one is described, below all of them. */
function Kinds({ chosen, onChoose }: KindsProps): ReactNode {
  const id = useId()
  const sendsMail = useSendsMail()
  const helpOf = ({ help, helpWithoutMail }: KindWords): MessageDescriptor =>
    sendsMail ? help : (helpWithoutMail ?? help)
  return (
    <Fieldset name="kind" legend={t`Kind`}>
      <div className="@container">
        <div className="grid grid-cols-2 gap-2">
          {kinds.map((kind) => (
            <label
              key={kind.kind}
              className="flex cursor-pointer items-start gap-2.5 rounded-lg border border-edge/60 px-3 py-2 text-sm has-checked:border-accent-text has-checked:bg-accent-soft"
            >
              <input
                type="radio"
                name="kind"
                value={kind.kind}
                checked={kind.kind === chosen.kind}
                onChange={() => onChoose(kind)}
                aria-label={i18n._(kind.title)}
                aria-describedby={`${id}-${kind.kind}`}
                className="mt-0.5 size-4 shrink-0 accent-accent"
              />
              <span className="min-w-0">
                <span className="block font-medium wrap-anywhere">{i18n._(kind.title)}</span>
                <span id={`${id}-${kind.kind}`} className="hidden text-muted @lg:block">
                  {i18n._(helpOf(kind))}
                </span>
              </span>
            </label>
          ))}
        </div>
        <p aria-hidden="true" className="mt-2 text-sm text-muted @lg:hidden">
          {i18n._(helpOf(chosen))}
        </p>
      </div>
    </Fieldset>
  )
}
