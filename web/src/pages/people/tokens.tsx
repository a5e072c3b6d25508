import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import type { ApiTokenRecord } from '../../api/console.ts'
import { Button } from '../../parts/button.tsx'
import { CopyText } from '../../parts/copy.tsx'
import { Dialog, FormDialog } from '../../parts/overlays/dialog.tsx'
import { SelectField, TextField } from '../../parts/form/field.tsx'
import type { Values } from '../../parts/form/form.tsx'
import { Badge, Empty, Row, Rows } from '../../parts/list.tsx'
import { Notice } from '../../parts/notice.tsx'
import { PageHead, Section } from '../../parts/page.tsx'
import { Time } from '../../parts/time.tsx'
import { useChanged, useRead, useWorkspace } from '../../session/workspace.tsx'
import { ForOwners } from '../workspaces/for-owners.tsx'

export function TokensPage(): ReactNode {
  return (
    <ForOwners title={t`API tokens`}>
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
        title={t`API tokens`}
        lead={t`A token lets a program act in this workspace. At most 50 are active at once.`}
        action={
          <Button look="primary" onClick={() => setAsked({ what: 'create' })}>
            <Trans>Create a token</Trans>
          </Button>
        }
      />
      <Section title={t`Active`}>
        {active.length === 0 && (
          <Empty>
            <Trans context="tokens">None.</Trans>
          </Empty>
        )}
        <Rows label={t`Active tokens`}>
          {active.map((token) => (
            <TokenRow key={token.id} token={token} onRevoke={() => setAsked({ what: 'revoke', token })} />
          ))}
        </Rows>
      </Section>
      {ended.length > 0 && (
        <Section title={t`Ended`}>
          <Rows label={t`Ended tokens`}>
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
          <Badge>{scope === 'write' ? t`Reads and writes` : t({ message: 'Reads', context: 'token' })}</Badge>
          {state !== 'active' && <Badge>{state === 'revoked' ? t`Revoked` : t`Expired`}</Badge>}
        </>
      }
      details={
        <>
          <Trans>
            Created <Time at={made} by="day" />
          </Trans>
          {' · '}
          {used === null ? (
            t`never used`
          ) : (
            <Trans>
              last used <Time at={used} />
            </Trans>
          )}
          {end !== null && (
            <>
              {' · '}
              <Trans>
                until <Time at={end} />
              </Trans>
            </>
          )}
        </>
      }
      action={
        onRevoke !== null && (
          <Button look="danger" aria-label={t`Revoke ${name}`} onClick={onRevoke}>
            <Trans>Revoke</Trans>
          </Button>
        )
      }
    />
  )
}

/** Days by which a token ends by itself; "" for none. */
function lifetimes(): { value: string; label: string }[] {
  return [
    { value: '', label: t`Until it is revoked` },
    { value: '7', label: t`7 days` },
    { value: '30', label: t`30 days` },
    { value: '90', label: t`90 days` },
    { value: '365', label: t`A year` },
  ]
}

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
    <FormDialog title={t`Create a token`} submit={t`Create`} onSubmit={submit} onClose={onClose}>
      <TextField
        name="name"
        label={t`Name`}
        autoComplete="off"
        hint={t`What it is for, such as the program that uses it.`}
      />
      <SelectField
        name="scope"
        label={t`It may`}
        options={[
          { value: 'read', label: t({ message: 'Read', context: 'leave of a token' }) },
          { value: 'write', label: t({ message: 'Read and write', context: 'leave of a token' }) },
        ]}
      />
      <SelectField name="expires_at" label={t`Valid for`} options={lifetimes()} />
    </FormDialog>
  )
}

function ShowOnce({ token, onClose }: { token: string; onClose: () => void }): ReactNode {
  return (
    <Dialog title={t`The new token`} onClose={onClose}>
      <div className="flex flex-col gap-4">
        <Notice tone="warn">
          <Trans>It is shown only once. Anyone who has it can use it. Keep it like a password.</Trans>
        </Notice>
        <CopyText label={t`Token`} text={token} />
        <Button look="primary" onClick={onClose}>
          <Trans>Done</Trans>
        </Button>
      </div>
    </Dialog>
  )
}

function Revoke({ token: { id, name }, onClose }: { token: ApiTokenRecord; onClose: () => void }): ReactNode {
  const { api } = useWorkspace()
  const changed = useChanged()
  const submit = async (): Promise<void> => {
    await api.revokeToken(id)
    await changed('tokens')
    onClose()
  }
  return (
    <FormDialog title={t`Revoke ${name}?`} submit={t`Revoke`} look="danger" onSubmit={submit} onClose={onClose}>
      <p className="text-muted">
        <Trans>Programs that use it are refused from this moment on.</Trans>
      </p>
    </FormDialog>
  )
}
