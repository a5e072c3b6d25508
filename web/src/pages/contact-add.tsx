import { type ReactNode, useId, useState } from 'react'
import type { AddedContact } from '../api/contacts.ts'
import { FormDialog } from '../parts/dialog.tsx'
import { TextField } from '../parts/field.tsx'
import type { Values } from '../parts/form.tsx'
import { Fieldset } from '../parts/schema/fieldset.tsx'
import { useToast } from '../parts/toast.tsx'
import { type KindWords, kinds } from './contact-words.ts'
import { useContactsApi, useContactsChanged } from './use-contacts.ts'

type AddProps = { onAdded: (added: AddedContact) => void; onClose: () => void }

export function AddContact({ onAdded, onClose }: AddProps): ReactNode {
  const api = useContactsApi()
  const changed = useContactsChanged()
  const toast = useToast()
  const [kind, setKind] = useState<KindWords>(kinds[0])
  const submit = async (value: Values): Promise<void> => {
    const input = { name: value('name'), kind: kind.kind, destination: value('destination').trim() }
    const added = await api.add(input)
    await changed()
    const { name, destination, confirmed } = added.contact
    if (!confirmed) toast(`A mail that asks for leave is on its way to ${destination}.`)
    else if (added.secret === null) toast(`${name} gets alerts from now on.`)
    onAdded(added)
  }
  const { label, placeholder, hint } = kind.destination
  return (
    <FormDialog title="Add a contact" submit="Add" onSubmit={submit} onClose={onClose}>
      <Kinds chosen={kind} onChoose={setKind} />
      <TextField name="name" label="Name" autoComplete="off" hint="As people know it, such as “On call”." />
      <TextField
        key={kind.kind}
        name="destination"
        label={label}
        placeholder={placeholder}
        hint={hint}
        type={kind.kind === 'email' ? 'email' : 'text'}
        inputMode={kind.kind === 'email' ? 'email' : 'url'}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
    </FormDialog>
  )
}

type KindsProps = { chosen: KindWords; onChoose: (kind: KindWords) => void }

function Kinds({ chosen, onChoose }: KindsProps): ReactNode {
  const id = useId()
  return (
    <Fieldset name="kind" legend="Kind">
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
              checked={kind === chosen}
              onChange={() => onChoose(kind)}
              aria-label={kind.title}
              aria-describedby={`${id}-${kind.kind}`}
              className="mt-0.5 size-4 shrink-0 accent-accent"
            />
            <span>
              <span className="block font-medium">{kind.title}</span>
              <span id={`${id}-${kind.kind}`} className="block text-muted">
                {kind.help}
              </span>
            </span>
          </label>
        ))}
      </div>
    </Fieldset>
  )
}
