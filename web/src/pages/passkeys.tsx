import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { type Passkey, addPasskey, arePasskeysPossible, deletePasskey, listPasskeys } from '../api/passkey.ts'
import { Button } from '../parts/button.tsx'
import { FormDialog } from '../parts/dialog.tsx'
import { TextField } from '../parts/field.tsx'
import { Empty, Row, Rows } from '../parts/list.tsx'
import { Section } from '../parts/page.tsx'
import { Time } from '../parts/time.tsx'
import { useToast } from '../parts/toast.tsx'

const passkeysKey = ['passkeys']

export function Passkeys(): ReactNode {
  const { data: passkeys } = useSuspenseQuery({ queryKey: passkeysKey, queryFn: listPasskeys })
  const [isAdding, setAdding] = useState(false)
  const [removed, setRemoved] = useState<Passkey | null>(null)
  const isPossible = arePasskeysPossible()
  return (
    <Section
      title="Passkeys"
      lead="Sign in with a fingerprint, a face or a key: nothing to remember, and nothing to be phished."
      action={isPossible && <Button onClick={() => setAdding(true)}>Add a passkey</Button>}
    >
      {passkeys.length === 0 && (
        <Empty>
          {isPossible ? 'None.' : 'Passkeys need a browser that knows them, and an address with a name: not of digits.'}
        </Empty>
      )}
      <Rows label="Passkeys">
        {passkeys.map((passkey) => (
          <Row
            key={passkey.id}
            title={nameOf(passkey)}
            details={
              passkey.createdAt !== null && (
                <>
                  Since <Time at={passkey.createdAt} by="day" />
                </>
              )
            }
            action={
              <Button look="danger" aria-label={`Remove ${nameOf(passkey)}`} onClick={() => setRemoved(passkey)}>
                Remove
              </Button>
            }
          />
        ))}
      </Rows>
      {isAdding && <Add onClose={() => setAdding(false)} />}
      {removed !== null && <Remove passkey={removed} onClose={() => setRemoved(null)} />}
    </Section>
  )
}

function nameOf({ name }: Passkey): string {
  return name === null || name === '' ? 'Passkey' : name
}

function Add({ onClose }: { onClose: () => void }): ReactNode {
  const client = useQueryClient()
  const toast = useToast()
  const submit = async (name: string): Promise<void> => {
    await addPasskey(name)
    await client.invalidateQueries({ queryKey: passkeysKey })
    toast('The passkey is added.')
    onClose()
  }
  return (
    <FormDialog title="Add a passkey" submit="Go on" onSubmit={(value) => submit(value('name'))} onClose={onClose}>
      <TextField
        name="name"
        label="Name"
        autoComplete="off"
        defaultValue="This device"
        hint="So that you know it again."
      />
    </FormDialog>
  )
}

function Remove({ passkey, onClose }: { passkey: Passkey; onClose: () => void }): ReactNode {
  const client = useQueryClient()
  const submit = async (): Promise<void> => {
    await deletePasskey(passkey.id)
    await client.invalidateQueries({ queryKey: passkeysKey })
    onClose()
  }
  return (
    <FormDialog title={`Remove ${nameOf(passkey)}?`} submit="Remove" look="danger" onSubmit={submit} onClose={onClose}>
      <p className="text-muted">Nobody can sign in with it any more. The device keeps its half until you delete it.</p>
    </FormDialog>
  )
}
