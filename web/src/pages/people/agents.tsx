import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import type { AgentRecord } from '../../api/console.ts'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/form/field.tsx'
import type { Values } from '../../parts/form/form.tsx'
import { FormDialog } from '../../parts/overlays/dialog.tsx'
import { Badge, Empty, Row, Rows } from '../../parts/list.tsx'
import { dollars, typedCents } from '../../parts/money.ts'
import { PageHead, Section, linkClass } from '../../parts/page.tsx'
import { Time } from '../../parts/time.tsx'
import { useHasPayments } from '../../session/session.ts'
import { useChanged, useRead, useWorkspace } from '../../session/workspace.tsx'
import { ForOwners } from '../workspaces/for-owners.tsx'

export function AgentsPage(): ReactNode {
  return (
    <ForOwners title={t`Agents`}>
      <Agents />
    </ForOwners>
  )
}

function Agents(): ReactNode {
  const { data: agents } = useRead('agents', { read: (api) => api.listAgents() })
  const [disconnected, setDisconnected] = useState<AgentRecord | null>(null)
  const [limited, setLimited] = useState<AgentRecord | null>(null)
  const connectAddress = `${location.origin}/mcp/connect`
  return (
    <>
      <PageHead
        title={t`Agents`}
        lead={
          <Trans>
            Agents register themselves, and act here once you have let them in. Show yours{' '}
            <a href="/auth.md" className={linkClass}>
              how
            </a>
            . Programs for models are connected with <code className="wrap-anywhere">{connectAddress}</code>.
          </Trans>
        }
      />
      <Section title={t`Let in`}>
        {agents.length === 0 && (
          <Empty>
            <Trans context="agents">None.</Trans>
          </Empty>
        )}
        <Rows label={t`Agents`}>
          {agents.map((agent) => (
            <AgentRow
              key={agent.id}
              agent={agent}
              onLimit={() => setLimited(agent)}
              onDisconnect={() => setDisconnected(agent)}
            />
          ))}
        </Rows>
      </Section>
      {limited !== null && <Budget agent={limited} onClose={() => setLimited(null)} />}
      {disconnected !== null && <Disconnect agent={disconnected} onClose={() => setDisconnected(null)} />}
    </>
  )
}

type AgentRowProps = { agent: AgentRecord; onLimit: () => void; onDisconnect: () => void }

function AgentRow({ agent, onLimit, onDisconnect }: AgentRowProps): ReactNode {
  const sells = useHasPayments()
  const mayWrite = agent.scopes.includes('write')
  const {
    name,
    provider,
    redirect_host: redirect,
    email,
    created_at: made,
    claimed_at: claimed,
    last_used_at: used,
  } = agent
  return (
    <Row
      title={
        <>
          {name}
          <Badge>{provider ?? redirect ?? t`No one vouches`}</Badge>
          {!mayWrite && <Badge>{t`reads only`}</Badge>}
        </>
      }
      details={
        <>
          {email !== null && `${email} · `}
          {sells && mayWrite && agent.budget_cents !== null && (
            <>
              <Trans>
                spent {dollars(agent.spent_cents)} of {dollars(agent.budget_cents)}
              </Trans>
              {' · '}
            </>
          )}
          <Trans>
            since <Time at={claimed ?? made} by="day" />
          </Trans>
          {' · '}
          {used === null ? (
            t`never used`
          ) : (
            <Trans>
              last used <Time at={used} />
            </Trans>
          )}
        </>
      }
      action={
        <>
          {sells && mayWrite && (
            <Button aria-label={t`Change the budget of ${name}`} onClick={onLimit}>
              <Trans>Budget</Trans>
            </Button>
          )}
          <Button look="danger" aria-label={t`Disconnect ${name}`} onClick={onDisconnect}>
            <Trans>Disconnect</Trans>
          </Button>
        </>
      }
    />
  )
}

function Budget({ agent, onClose }: { agent: AgentRecord; onClose: () => void }): ReactNode {
  const { id, name, budget_cents: budget, spent_cents: spent } = agent
  const { api } = useWorkspace()
  const changed = useChanged()
  const submit = async (value: Values): Promise<void> => {
    const typed = value('budget_cents')
    await api.changeBudget(id, typed === '' ? null : typedCents(typed, 'budget_cents'))
    await changed('agents')
    onClose()
  }
  return (
    <FormDialog title={t`Budget of ${name}`} submit={t`Save`} unsaved={false} onSubmit={submit} onClose={onClose}>
      <TextField
        name="budget_cents"
        label={t`Credit that it may spend in all, in dollars`}
        defaultValue={budget === null ? '' : (budget / 100).toFixed(2)}
        inputMode="decimal"
        hint={t`It has spent ${dollars(spent)} so far. If you leave this empty, it may spend all the credit of the workspace.`}
      />
    </FormDialog>
  )
}

function Disconnect({ agent: { id, name }, onClose }: { agent: AgentRecord; onClose: () => void }): ReactNode {
  const { api } = useWorkspace()
  const changed = useChanged()
  const submit = async (): Promise<void> => {
    await api.disconnectAgent(id)
    await changed('agents')
    onClose()
  }
  return (
    <FormDialog title={t`Disconnect ${name}?`} submit={t`Disconnect`} look="danger" onSubmit={submit} onClose={onClose}>
      <p className="text-muted">
        <Trans>Its access ends at once. What it created here stays.</Trans>
      </p>
    </FormDialog>
  )
}
