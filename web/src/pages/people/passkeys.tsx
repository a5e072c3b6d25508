import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { type Passkey, addPasskey, arePasskeysPossible, deletePasskey, listPasskeys } from '../../api/passkey.ts'
import { Button } from '../../parts/button.tsx'
import { FormDialog } from '../../parts/overlays/dialog.tsx'
import { TextField } from '../../parts/form/field.tsx'
import { Empty, Row, Rows } from '../../parts/list.tsx'
import { Section } from '../../parts/page.tsx'
import { Time } from '../../parts/time.tsx'
import { useToast } from '../../parts/overlays/toast.tsx'

const passkeysKey = ['passkeys']

export function Passkeys(): ReactNode {
  const { data: passkeys } = useSuspenseQuery({ queryKey: passkeysKey, queryFn: listPasskeys })
  const [isAdding, setAdding] = useState(false)
  const [removed, setRemoved] = useState<Passkey | null>(null)
  const isPossible = arePasskeysPossible()
  return (
    <Section
      title={t`Passkeys`}
      lead={t`Sign in with a fingerprint, a face or a key: nothing to remember, and safe from phishing.`}
      action={
        isPossible && (
          <Button onClick={() => setAdding(true)}>
            <Trans>Add a passkey</Trans>
          </Button>
        )
      }
    >
      {passkeys.length === 0 && (
        <Empty>
          {isPossible ? (
            <Trans context="passkeys">None.</Trans>
          ) : (
            <Trans>
              Passkeys need a browser that supports them, and an address with a host name instead of digits.
            </Trans>
          )}
        </Empty>
      )}
      <Rows label={t`Passkeys`}>
        {passkeys.map((passkey) => (
          <PasskeyRow key={passkey.id} passkey={passkey} onRemove={() => setRemoved(passkey)} />
        ))}
      </Rows>
      {isAdding && <Add onClose={() => setAdding(false)} />}
      {removed !== null && <Remove passkey={removed} onClose={() => setRemoved(null)} />}
    </Section>
  )
}

function PasskeyRow({ passkey, onRemove }: { passkey: Passkey; onRemove: () => void }): ReactNode {
  const name = nameOf(passkey)
  return (
    <Row
      title={name}
      details={
        passkey.createdAt !== null && (
          <Trans>
            Since <Time at={passkey.createdAt} by="day" />
          </Trans>
        )
      }
      action={
        <Button look="danger" aria-label={t`Remove ${name}`} onClick={onRemove}>
          <Trans>Remove</Trans>
        </Button>
      }
    />
  )
}

function nameOf({ name }: Passkey): string {
  return name === null || name === '' ? t`Passkey` : name
}

function Add({ onClose }: { onClose: () => void }): ReactNode {
  const client = useQueryClient()
  const toast = useToast()
  const submit = async (name: string): Promise<void> => {
    await addPasskey(name)
    await client.invalidateQueries({ queryKey: passkeysKey })
    toast(t`The passkey is added.`)
    onClose()
  }
  return (
    <FormDialog
      title={t`Add a passkey`}
      submit={t`Continue`}
      onSubmit={(value) => submit(value('name'))}
      onClose={onClose}
      unsaved={false}
    >
      <TextField
        name="name"
        label={t`Name`}
        autoComplete="off"
        defaultValue={t`This device`}
        hint={t`So that you recognise it.`}
      />
    </FormDialog>
  )
}

function Remove({ passkey, onClose }: { passkey: Passkey; onClose: () => void }): ReactNode {
  const client = useQueryClient()
  const name = nameOf(passkey)
  const submit = async (): Promise<void> => {
    await deletePasskey(passkey.id)
    await client.invalidateQueries({ queryKey: passkeysKey })
    onClose()
  }
  return (
    <FormDialog title={t`Remove ${name}?`} submit={t`Remove`} look="danger" onSubmit={submit} onClose={onClose}>
      <p className="text-muted">
        <Trans>It can no longer be used to sign in. The device keeps its part until you delete it there.</Trans>
      </p>
    </FormDialog>
  )
}
