import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { type ReactNode, useId } from 'react'
import type { AddedContact } from '../../api/contacts.ts'
import { TextField } from '../../parts/field.tsx'
import type { Values } from '../../parts/form.tsx'
import { Fieldset } from '../../parts/schema/fieldset.tsx'
import { useToast } from '../../parts/toast.tsx'
import { useSendsMail } from '../../session/session.ts'
import { type KindWords, isMailbox, kinds } from './contact-words.ts'
import { NoMail } from './no-mail.tsx'
import { useContactsApi, useContactsChanged } from './use-contacts.ts'

/** Adds what `ContactFields` of a form say, and tells what comes of it. */
export function useAddContact(): (kind: KindWords, value: Values) => Promise<AddedContact> {
  const api = useContactsApi()
  const changed = useContactsChanged()
  const toast = useToast()
  const sendsMail = useSendsMail()
  return async ({ kind }, value) => {
    const input = { name: value('name'), kind, destination: value('destination').trim() }
    const added = await api.add(input)
    await changed()
    const { name, destination, confirmed } = added.contact
    if (isMailbox(kind) && !sendsMail) toast(t`${name} is added. This installation sends no mail.`)
    else if (!confirmed) toast(t`A mail that asks for leave is on its way to ${destination}.`)
    else if (added.secret === null) toast(t`${name} gets alerts from now on.`)
    return added
  }
}

type FieldsProps = {
  kind: KindWords
  onKind: (kind: KindWords) => void
  /** Whose mail address is proposed. */
  mine?: { name: string; email: string }
}

/** The fields of a new contact. */
export function ContactFields({ kind, onKind, mine }: FieldsProps): ReactNode {
  const { label, placeholder, hint } = kind.destination
  const isMail = isMailbox(kind.kind)
  const sendsMail = useSendsMail()
  return (
    <>
      <Kinds chosen={kind} onChoose={onKind} />
      {isMail && !sendsMail && <NoMail />}
      <TextField
        name="name"
        label={t`Name`}
        autoComplete="off"
        defaultValue={mine?.name ?? ''}
        hint={t`As people know it, such as “On call”.`}
      />
      <TextField
        key={kind.kind}
        name="destination"
        label={i18n._(label)}
        placeholder={placeholder}
        hint={i18n._(hint)}
        type={isMail ? 'email' : 'text'}
        inputMode={isMail ? 'email' : 'url'}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        defaultValue={isMail ? (mine?.email ?? '') : ''}
      />
    </>
  )
}

type KindsProps = { chosen: KindWords; onChoose: (kind: KindWords) => void }

function Kinds({ chosen, onChoose }: KindsProps): ReactNode {
  const id = useId()
  const sendsMail = useSendsMail()
  return (
    <Fieldset name="kind" legend={t`Kind`}>
      <div className="flex flex-col gap-2">
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
            <span>
              <span className="block font-medium">{i18n._(kind.title)}</span>
              <span id={`${id}-${kind.kind}`} className="block text-muted">
                {i18n._(sendsMail ? kind.help : (kind.helpWithoutMail ?? kind.help))}
              </span>
            </span>
          </label>
        ))}
      </div>
    </Fieldset>
  )
}
