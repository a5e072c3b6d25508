import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { MaintenanceRecord } from '../api/maintenance.ts'
import { Button, ButtonLink } from '../parts/button.tsx'
import { FormDialog } from '../parts/dialog.tsx'
import { Badge, Empty, Row, Rows } from '../parts/list.tsx'
import { PageHead, Section } from '../parts/page.tsx'
import { Time } from '../parts/time.tsx'
import { useToast } from '../parts/toast.tsx'
import { maintenanceKey, readAgainMs, useMaintenanceApi } from '../parts/use-maintenance.ts'
import { useChanged, useRead } from '../workspace.tsx'
import { type Stage, repeatText, stageOf, timeOf } from './maintenance-words.ts'
import { useMayWrite } from './monitor/use-monitors.ts'

type Asked = { what: 'end' | 'delete'; window: MaintenanceRecord }

const stages: readonly { stage: Stage; title: string; none: string | null }[] = [
  { stage: 'current', title: 'Under way', none: null },
  { stage: 'next', title: 'Planned', none: 'None is planned.' },
  { stage: 'past', title: 'Past', none: null },
]

export function MaintenancePage(): ReactNode {
  const api = useMaintenanceApi()
  const { data: windows, dataUpdatedAt } = useRead(maintenanceKey, { read: () => api.list(), everyMs: readAgainMs })
  const mayWrite = useMayWrite()
  const [asked, setAsked] = useState<Asked | null>(null)
  const byStage = Map.groupBy(windows, (window) => stageOf(window, dataUpdatedAt))
  const plan = (
    <ButtonLink to="/maintenance/new" look="primary">
      Plan maintenance
    </ButtonLink>
  )
  return (
    <>
      <PageHead
        title="Maintenance"
        lead="Times in which work is planned: checks go on, alerts rest, and status pages say so."
        action={mayWrite && plan}
      />
      {stages.map(({ stage, title, none }) => {
        const found = sorted(byStage.get(stage) ?? [], stage)
        if (found.length === 0 && none === null) return null
        return (
          <Section key={stage} title={title}>
            {found.length === 0 && <Empty>{none}</Empty>}
            <Rows label={title}>
              {found.map((window) => (
                <WindowRow key={window.id} window={window} onAsk={mayWrite ? setAsked : null} />
              ))}
            </Rows>
          </Section>
        )
      })}
      {asked?.what === 'end' && <End window={asked.window} onClose={() => setAsked(null)} />}
      {asked?.what === 'delete' && <Delete window={asked.window} onClose={() => setAsked(null)} />}
    </>
  )
}

/** What comes first stands first; of what is past, what ended last. */
function sorted(windows: readonly MaintenanceRecord[], stage: Stage): MaintenanceRecord[] {
  const earliest = windows.toSorted((one, other) => (startOf(one) < startOf(other) ? -1 : 1))
  return stage === 'past' ? earliest.toReversed() : earliest
}

function startOf(window: MaintenanceRecord): number {
  const time = timeOf(window)
  return time === null ? Infinity : Date.parse(time.starts_at)
}

type RowProps = { window: MaintenanceRecord; onAsk: ((asked: Asked) => void) | null }

function WindowRow({ window, onAsk }: RowProps): ReactNode {
  const { id, name, current, monitor_ids: ids, excludes_uptime: isExcluded, schedule, time_zone: zone } = window
  const repeats = repeatText(schedule, zone)
  const reach = ids === null ? 'All monitors' : `${ids.length} monitor${ids.length === 1 ? '' : 's'}`
  return (
    <Row
      title={
        <>
          <Link to="/maintenance/$id" params={{ id }} className="hover:underline">
            {name}
          </Link>
          {isExcluded && <Badge>not in uptime</Badge>}
        </>
      }
      details={
        <>
          <When of={window} /> · {reach}
          {repeats !== null && <span className="block">{repeats}</span>}
        </>
      }
      action={
        onAsk !== null && (
          <>
            {current !== null && (
              <Button aria-label={`End now: ${name}`} onClick={() => onAsk({ what: 'end', window })}>
                End now
              </Button>
            )}
            <Button look="danger" aria-label={`Delete ${name}`} onClick={() => onAsk({ what: 'delete', window })}>
              Delete
            </Button>
          </>
        )
      }
    />
  )
}

function When({ of }: { of: MaintenanceRecord }): ReactNode {
  const time = timeOf(of)
  if (time === null) return 'Not within five weeks'
  return (
    <>
      <Time at={time.starts_at} /> to <Time at={time.ends_at} />
    </>
  )
}

type AskedOf = { window: MaintenanceRecord; onClose: () => void }

function End({ window: { id, name, schedule }, onClose }: AskedOf): ReactNode {
  const api = useMaintenanceApi()
  const changed = useChanged()
  const toast = useToast()
  const submit = async (): Promise<void> => {
    await api.end(id)
    await changed(maintenanceKey)
    toast(`${name} has ended.`)
    onClose()
  }
  return (
    <FormDialog title={`End ${name} now?`} submit="End now" onSubmit={submit} onClose={onClose}>
      <p className="text-muted">
        What is down then and was held back is told at once.
        {schedule.type !== 'once' && ' Later times stay planned.'}
      </p>
    </FormDialog>
  )
}

function Delete({ window: { id, name, current }, onClose }: AskedOf): ReactNode {
  const api = useMaintenanceApi()
  const changed = useChanged()
  const toast = useToast()
  const submit = async (): Promise<void> => {
    await api.remove(id)
    await changed(maintenanceKey)
    toast(`${name} is deleted.`)
    onClose()
  }
  return (
    <FormDialog title={`Delete ${name}?`} submit="Delete for good" look="danger" onSubmit={submit} onClose={onClose}>
      <p className="text-muted">
        {current === null ? 'It does not take place any more' : 'It ends now, does not take place any more'}, and status
        pages forget it.
      </p>
    </FormDialog>
  )
}
