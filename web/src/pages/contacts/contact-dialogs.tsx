import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { DeleteDialog, FormDialog } from '../../parts/overlays/dialog.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Time } from '../../parts/time.tsx'
import { useToast } from '../../parts/overlays/toast.tsx'
import { type Contact, isReaderAsked } from './contact-words.ts'
import { useContactsApi, useContactsChanged } from './use-contacts.ts'

type AskedOf = { of: Contact; onClose: () => void }

export function PauseContact({ of, onClose }: AskedOf): ReactNode {
  const { id, name } = of.contact
  const api = useContactsApi()
  const changed = useContactsChanged()
  const submit = async (): Promise<void> => {
    await api.change(id, { enabled: false })
    await changed()
    onClose()
  }
  return (
    <FormDialog title={t`Pause ${name}?`} submit={t`Pause`} onSubmit={submit} onClose={onClose}>
      <p className="text-muted">
        <Trans>It gets no alerts until it is switched on again. Alerts from that time are not sent later.</Trans>
      </p>
    </FormDialog>
  )
}

export function SwitchContactOn({ of, onClose }: AskedOf): ReactNode {
  const { id, name } = of.contact
  const api = useContactsApi()
  const changed = useContactsChanged()
  const toast = useToast()
  const submit = async (): Promise<void> => {
    const { confirmed } = await api.change(id, { enabled: true })
    await changed()
    toast(toldOf(of, confirmed))
    onClose()
  }
  return (
    <FormDialog title={t`Switch ${name} on?`} submit={t`Switch on`} onSubmit={submit} onClose={onClose}>
      <p className="text-muted wrap-anywhere">{switchedOnText(of)}</p>
    </FormDialog>
  )
}

function switchedOnText(of: Contact): string {
  const { destination } = of.contact
  if (!isReaderAsked(of)) return t`It gets alerts from now on. Earlier failures no longer count.`
  return of.isMailKept
    ? t`Its reader has to confirm again. This installation sends no mail, so you have to pass on the link.`
    : t`${destination} gets another confirmation mail. Alerts start once the link in it is opened.`
}

function toldOf({ isMailKept }: Contact, isConfirmed: boolean): string {
  if (isMailKept) return t`It is switched on. This installation sends no mail.`
  return isConfirmed ? t`It gets alerts from now on.` : t`A confirmation mail is on its way.`
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
    <FormDialog title={t`Replace the signing secret?`} submit={t`Replace`} onSubmit={submit} onClose={onClose}>
      <p className="text-muted">
        <Trans>
          For 24 hours, messages carry two signatures, one with the new secret and one with the current secret, so that
          your program can switch at any time.
        </Trans>
      </p>
      {former !== null && (
        <Notice tone="warn">
          <Trans>
            It was replaced before, and two secrets sign until <Time at={former} />. The older one stops working at
            once.
          </Trans>
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
    toast(t`${name} is deleted.`)
    router.history.push('/contacts')
    await changed()
  }
  return (
    <DeleteDialog title={t`Delete ${name}?`} onSubmit={submit} onClose={onClose}>
      <p className="text-muted">
        <Trans>Its log is deleted permanently, and alerts on their way to it are dropped.</Trans>
      </p>
      {isLast && (
        <Notice tone="warn">
          <Trans>It is the only contact. Without it, no one is alerted.</Trans>
        </Notice>
      )}
      {!isLast && of.state.only_contact_of > 0 && <Alone of={of} />}
    </DeleteDialog>
  )
}

/** Monitors that alert no other contact. */
function Alone({ of: { state } }: { of: Contact }): ReactNode {
  const { only_contact_of: count, only_contact_of_monitors: monitors } = state
  const more = count - monitors.length
  return (
    <Notice tone="warn">
      <p>
        <Plural
          value={count}
          one="One monitor alerts only this contact. It will alert all contacts instead:"
          other="# monitors alert only this contact. They will alert all contacts instead:"
        />
      </p>
      <ul className="mt-1 list-disc pl-5 wrap-anywhere">
        {monitors.map(({ id, name }) => (
          <li key={id}>{name}</li>
        ))}
        {more > 0 && (
          <li>
            <Trans>and {more} more</Trans>
          </li>
        )}
      </ul>
    </Notice>
  )
}
