import { type ReactNode, useState } from 'react'
import type { ApiTokenRecord } from '../api/console.ts'
import { Button } from '../parts/button.tsx'
import { CopyText } from '../parts/copy.tsx'
import { Dialog, FormDialog } from '../parts/dialog.tsx'
import { SelectField, TextField } from '../parts/field.tsx'
import type { Values } from '../parts/form.tsx'
import { Badge, Empty, Row, Rows } from '../parts/list.tsx'
import { Notice } from '../parts/notice.tsx'
import { PageHead, Section } from '../parts/page.tsx'
import { Time } from '../parts/time.tsx'
import { useChanged, useRead, useWorkspace } from '../workspace.tsx'
import { ForOwners } from './for-owners.tsx'

export function TokensPage(): ReactNode {
  return (
    <ForOwners title="API tokens">
      <Tokens />
    </ForOwners>
  )
}

type Asked = { what: 'create' } | { what: 'show'; token: string } | { what: 'revoke'; token: ApiTokenRecord }

function Tokens(): ReactNode {
  const { data: tokens } = useRead('tokens', { read: (api) => api.listTokens() })
  const [asked, setAsked] = useState<Asked | null>(null)
  const close = (): void => setAsked(null)
  const active = tokens.filter(({ state }) => state === 'active')
  const ended = tokens.filter(({ state }) => state !== 'active')
  return (
    <>
      <PageHead
        title="API tokens"
        lead="With a token a program acts in this workspace. At most 50 are active at once."
        action={
          <Button look="primary" onClick={() => setAsked({ what: 'create' })}>
            Create a token
          </Button>
        }
      />
      <Section title="Active">
        {active.length === 0 && <Empty>None.</Empty>}
        <Rows label="Active tokens">
          {active.map((token) => (
            <TokenRow key={token.id} token={token} onRevoke={() => setAsked({ what: 'revoke', token })} />
          ))}
        </Rows>
      </Section>
      {ended.length > 0 && (
        <Section title="Ended">
          <Rows label="Ended tokens">
            {ended.map((token) => (
              <TokenRow key={token.id} token={token} onRevoke={null} />
            ))}
          </Rows>
        </Section>
      )}
      {asked?.what === 'create' && <Create onMade={(token) => setAsked({ what: 'show', token })} onClose={close} />}
      {asked?.what === 'show' && <ShowOnce token={asked.token} onClose={close} />}
      {asked?.what === 'revoke' && <Revoke token={asked.token} onClose={close} />}
    </>
  )
}

type TokenRowProps = { token: ApiTokenRecord; onRevoke: (() => void) | null }

function TokenRow({ token, onRevoke }: TokenRowProps): ReactNode {
  const { name, scope, state, created_at: made, expires_at: end, last_used_at: used } = token
  return (
    <Row
      title={
        <>
          {name}
          <Badge>{scope === 'write' ? 'Reads and writes' : 'Reads'}</Badge>
          {state !== 'active' && <Badge>{state === 'revoked' ? 'Revoked' : 'Expired'}</Badge>}
        </>
      }
      details={
        <>
          Made <Time at={made} by="day" /> ·{' '}
          {used === null ? (
            'never used'
          ) : (
            <>
              last used <Time at={used} />
            </>
          )}
          {end !== null && (
            <>
              {' '}
              · until <Time at={end} />
            </>
          )}
        </>
      }
      action={
        onRevoke !== null && (
          <Button look="danger" aria-label={`Revoke ${name}`} onClick={onRevoke}>
            Revoke
          </Button>
        )
      }
    />
  )
}

const lifetimes = [
  { value: '', label: 'Until it is revoked' },
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'A year' },
] as const

const dayMs = 86_400_000

function Create({ onMade, onClose }: { onMade: (token: string) => void; onClose: () => void }): ReactNode {
  const { api } = useWorkspace()
  const changed = useChanged()
  const submit = async (value: Values): Promise<void> => {
    const days = Number(value('expires_at'))
    const { token } = await api.createToken({
      name: value('name'),
      scope: value('scope') === 'write' ? 'write' : 'read',
      expires_at: days === 0 ? null : new Date(Date.now() + days * dayMs).toISOString(),
    })
    await changed('tokens')
    onMade(token)
  }
  return (
    <FormDialog title="Create a token" submit="Create" onSubmit={submit} onClose={onClose}>
      <TextField name="name" label="Name" autoComplete="off" hint="What it is for, such as the program that has it." />
      <SelectField
        name="scope"
        label="It may"
        options={[
          { value: 'read', label: 'Read' },
          { value: 'write', label: 'Read and write' },
        ]}
      />
      <SelectField name="expires_at" label="It works" options={lifetimes} />
    </FormDialog>
  )
}

function ShowOnce({ token, onClose }: { token: string; onClose: () => void }): ReactNode {
  return (
    <Dialog title="The new token" onClose={onClose}>
      <div className="flex flex-col gap-4">
        <Notice tone="warn">It is shown this once. Whoever has it can use it: keep it like a password.</Notice>
        <CopyText label="Token" text={token} />
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </Dialog>
  )
}

function Revoke({ token, onClose }: { token: ApiTokenRecord; onClose: () => void }): ReactNode {
  const { api } = useWorkspace()
  const changed = useChanged()
  const submit = async (): Promise<void> => {
    await api.revokeToken(token.id)
    await changed('tokens')
    onClose()
  }
  return (
    <FormDialog title={`Revoke ${token.name}?`} submit="Revoke" look="danger" onSubmit={submit} onClose={onClose}>
      <p className="text-muted">Programs that use it are refused from this moment on.</p>
    </FormDialog>
  )
}
