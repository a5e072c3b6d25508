import { useRouter } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { ContactTest } from '../api/contacts.ts'
import { Button } from '../parts/button.tsx'
import { Dialog, FormDialog } from '../parts/dialog.tsx'
import { TextField } from '../parts/field.tsx'
import { Form, type Values } from '../parts/form.tsx'
import { Notice } from '../parts/notice.tsx'
import { Time } from '../parts/time.tsx'
import { useToast } from '../parts/toast.tsx'
import { type Contact, isReaderAsked } from './contact-words.ts'
import { useContactsApi, useContactsChanged } from './use-contacts.ts'

type AskedOf = { of: Contact; onClose: () => void }

export function TestContact({ of, onClose }: AskedOf): ReactNode {
  const api = useContactsApi()
  const changed = useContactsChanged()
  const [result, setResult] = useState<ContactTest | null>(null)
  const send = async (): Promise<void> => {
    setResult(null)
    setResult(await api.test(of.contact.id))
    await changed()
  }
  return (
    <Dialog title={`Test ${of.contact.name}`} onClose={onClose}>
      <Form submit="Send a test alert" onSubmit={send} beside={<Button onClick={onClose}>Close</Button>}>
        <p className="text-sm text-muted wrap-anywhere">
          One attempt to {of.contact.destination}, of at most 15 seconds. It is not listed among the alerts.
        </p>
        {result !== null && (
          <Notice tone="good">
            It was accepted{result.status_code !== null && ` with ${result.status_code}`}, <Time at={result.sent_at} />.
          </Notice>
        )}
      </Form>
    </Dialog>
  )
}

export function RenameContact({ of, onClose }: AskedOf): ReactNode {
  const api = useContactsApi()
  const changed = useContactsChanged()
  const submit = async (value: Values): Promise<void> => {
    await api.change(of.contact.id, { name: value('name') })
    await changed()
    onClose()
  }
  return (
    <FormDialog title={`Rename ${of.contact.name}`} submit="Save" onSubmit={submit} onClose={onClose}>
      <TextField name="name" label="Name" autoComplete="off" defaultValue={of.contact.name} />
    </FormDialog>
  )
}

export function PauseContact({ of, onClose }: AskedOf): ReactNode {
  const api = useContactsApi()
  const changed = useContactsChanged()
  const submit = async (): Promise<void> => {
    await api.change(of.contact.id, { enabled: false })
    await changed()
    onClose()
  }
  return (
    <FormDialog title={`Pause ${of.contact.name}?`} submit="Pause" onSubmit={submit} onClose={onClose}>
      <p className="text-muted">It gets no alerts until it is switched on again, and none of those of that time.</p>
    </FormDialog>
  )
}

export function SwitchContactOn({ of, onClose }: AskedOf): ReactNode {
  const api = useContactsApi()
  const changed = useContactsChanged()
  const toast = useToast()
  const submit = async (): Promise<void> => {
    const { confirmed } = await api.change(of.contact.id, { enabled: true })
    await changed()
    toast(confirmed ? 'It gets alerts from now on.' : 'A mail that asks for leave is on its way.')
    onClose()
  }
  return (
    <FormDialog title={`Switch ${of.contact.name} on?`} submit="Switch on" onSubmit={submit} onClose={onClose}>
      <p className="text-muted wrap-anywhere">
        {isReaderAsked(of)
          ? `A mail asks ${of.contact.destination} once more; alerts begin when its link is opened.`
          : 'It gets alerts from now on, and counts as never failed.'}
      </p>
    </FormDialog>
  )
}

type ReplaceProps = AskedOf & { onReplaced: (secret: string) => void }

export function ReplaceSecret({ of, onReplaced, onClose }: ReplaceProps): ReactNode {
  const api = useContactsApi()
  const changed = useContactsChanged()
  const submit = async (): Promise<void> => {
    const secret = await api.replaceSecret(of.contact.id)
    await changed()
    onReplaced(secret)
  }
  const former = of.state.former_secret_until
  return (
    <FormDialog title="Replace the signing secret?" submit="Replace" onSubmit={submit} onClose={onClose}>
      <p className="text-muted">
        For 24 hours messages carry two signatures, by the new secret and by the present one, so that your program can
        change over at any time.
      </p>
      {former !== null && (
        <Notice tone="warn">
          It was replaced before, and two secrets sign until <Time at={former} />. The older of them stops at once.
        </Notice>
      )}
    </FormDialog>
  )
}

type DeleteProps = AskedOf & { isLast: boolean }

export function DeleteContact({ of, isLast, onClose }: DeleteProps): ReactNode {
  const api = useContactsApi()
  const changed = useContactsChanged()
  const router = useRouter()
  const toast = useToast()
  const { id, name } = of.contact
  const submit = async (): Promise<void> => {
    await api.remove(id)
    toast(`${name} is deleted.`)
    router.history.push('/contacts')
    await changed()
  }
  return (
    <FormDialog title={`Delete ${name}?`} submit="Delete for good" look="danger" onSubmit={submit} onClose={onClose}>
      <p className="text-muted">Its log is gone for good, and alerts on their way to it are dropped.</p>
      {isLast && <Notice tone="warn">It is the only contact: after it nobody is told of anything.</Notice>}
      {!isLast && of.state.only_contact_of > 0 && <Alone of={of} />}
    </FormDialog>
  )
}

/** Monitors that alert nobody else. */
function Alone({ of: { state } }: { of: Contact }): ReactNode {
  const { only_contact_of: count, only_contact_of_monitors: monitors } = state
  const more = count - monitors.length
  return (
    <Notice tone="warn">
      <p>
        {count === 1 ? 'A monitor alerts' : `${count} monitors alert`} this contact alone, and will alert all contacts:
      </p>
      <ul className="mt-1 list-disc pl-5 wrap-anywhere">
        {monitors.map(({ id, name }) => (
          <li key={id}>{name}</li>
        ))}
        {more > 0 && <li>and {more} more</li>}
      </ul>
    </Notice>
  )
}
