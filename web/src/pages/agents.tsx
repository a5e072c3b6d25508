import { type ReactNode, useState } from 'react'
import type { AgentRecord } from '../api/console.ts'
import { Button } from '../parts/button.tsx'
import { FormDialog } from '../parts/dialog.tsx'
import { Badge, Empty, Row, Rows } from '../parts/list.tsx'
import { PageHead, Section, linkClass } from '../parts/page.tsx'
import { Time } from '../parts/time.tsx'
import { useChanged, useRead, useWorkspace } from '../workspace.tsx'
import { ForOwners } from './for-owners.tsx'

export function AgentsPage(): ReactNode {
  return (
    <ForOwners title="Agents">
      <Agents />
    </ForOwners>
  )
}

function Agents(): ReactNode {
  const { data: agents } = useRead('agents', { read: (api) => api.listAgents() })
  const [disconnected, setDisconnected] = useState<AgentRecord | null>(null)
  return (
    <>
      <PageHead
        title="Agents"
        lead={
          <>
            Agents register themselves, and act here once you have let them in. Show yours{' '}
            <a href="/auth.md" className={linkClass}>
              how
            </a>
            .
          </>
        }
      />
      <Section title="Let in">
        {agents.length === 0 && <Empty>None.</Empty>}
        <Rows label="Agents">
          {agents.map((agent) => (
            <AgentRow key={agent.id} agent={agent} onDisconnect={() => setDisconnected(agent)} />
          ))}
        </Rows>
      </Section>
      {disconnected !== null && <Disconnect agent={disconnected} onClose={() => setDisconnected(null)} />}
    </>
  )
}

function AgentRow({ agent, onDisconnect }: { agent: AgentRecord; onDisconnect: () => void }): ReactNode {
  const { name, provider, email, created_at: made, claimed_at: claimed, last_used_at: used } = agent
  return (
    <Row
      title={
        <>
          {name}
          <Badge>{provider ?? 'Nobody vouches'}</Badge>
        </>
      }
      details={
        <>
          {email !== null && `${email} · `}since <Time at={claimed ?? made} by="day" /> ·{' '}
          {used === null ? (
            'never used'
          ) : (
            <>
              last used <Time at={used} />
            </>
          )}
        </>
      }
      action={
        <Button look="danger" aria-label={`Disconnect ${name}`} onClick={onDisconnect}>
          Disconnect
        </Button>
      }
    />
  )
}

function Disconnect({ agent, onClose }: { agent: AgentRecord; onClose: () => void }): ReactNode {
  const { api } = useWorkspace()
  const changed = useChanged()
  const submit = async (): Promise<void> => {
    await api.disconnectAgent(agent.id)
    await changed('agents')
    onClose()
  }
  return (
    <FormDialog
      title={`Disconnect ${agent.name}?`}
      submit="Disconnect"
      look="danger"
      onSubmit={submit}
      onClose={onClose}
    >
      <p className="text-muted">What it holds ends at once. What it has made here stays.</p>
    </FormDialog>
  )
}
