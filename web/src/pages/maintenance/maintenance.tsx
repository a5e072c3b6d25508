import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { MaintenanceRecord } from '../../api/maintenance.ts'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { DeleteDialog, FormDialog } from '../../parts/overlays/dialog.tsx'
import { Badge, Empty, Row, Rows } from '../../parts/list.tsx'
import { PageHead, Section } from '../../parts/page.tsx'
import { TagBadges } from '../../parts/form/tags-field.tsx'
import { TimeRange } from '../../parts/time.tsx'
import { useToast } from '../../parts/overlays/toast.tsx'
import { maintenanceKey, readAgainMs, useMaintenanceApi } from '../../parts/use-maintenance.ts'
import { useChanged, useRead } from '../../session/workspace.tsx'
import { type Stage, reachText, repeatText, stageOf, timeOf } from './maintenance-words.ts'
import { useMayWrite } from '../../session/use-monitors.ts'

type Asked = { what: 'end' | 'delete'; window: MaintenanceRecord }

const stages: readonly { stage: Stage; title: MessageDescriptor; none: MessageDescriptor | null }[] = [
  { stage: 'current', title: msg({ message: 'Under way', context: 'maintenance' }), none: null },
  { stage: 'next', title: msg({ message: 'Planned', context: 'maintenance' }), none: msg`None is planned.` },
  { stage: 'past', title: msg({ message: 'Past', context: 'maintenance' }), none: null },
]

export function MaintenancePage(): ReactNode {
  const api = useMaintenanceApi()
  const { data: windows, dataUpdatedAt } = useRead(maintenanceKey, { read: () => api.list(), everyMs: readAgainMs })
  const mayWrite = useMayWrite()
  const [asked, setAsked] = useState<Asked | null>(null)
  const byStage = Map.groupBy(windows, (window) => stageOf(window, dataUpdatedAt))
  const plan = (
    <ButtonLink to="/maintenance/new" look="primary">
      <Trans>Plan maintenance</Trans>
    </ButtonLink>
  )
  return (
    <>
      <PageHead
        title={t`Maintenance`}
        lead={t`Times of planned work: checks continue, alerts rest, and status pages say so.`}
        action={mayWrite && plan}
      />
      {stages.map(({ stage, title, none }) => {
        const found = sorted(byStage.get(stage) ?? [], stage)
        if (found.length === 0 && none === null) return null
        return (
          <Section key={stage} title={i18n._(title)}>
            {found.length === 0 && none !== null && <Empty>{i18n._(none)}</Empty>}
            <Rows label={i18n._(title)}>
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

/** The next window stands first; among past ones, the one that ended last. */
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
  const { id, name, current, excludes_uptime: isExcluded } = window
  const repeats = repeatText(window.schedule, window.time_zone)
  return (
    <Row
      title={
        <>
          <Link to="/maintenance/$id" params={{ id }} className="hover:underline">
            {name}
          </Link>
          <TagBadges tags={window.tags} />
          {isExcluded && (
            <Badge>
              <Trans>not in uptime</Trans>
            </Badge>
          )}
        </>
      }
      details={
        <>
          <When of={window} /> · {reachText(window)}
          {repeats !== null && <span className="block">{repeats}</span>}
        </>
      }
      action={
        onAsk !== null && (
          <>
            {current !== null && (
              <Button aria-label={t`End now: ${name}`} onClick={() => onAsk({ what: 'end', window })}>
                <Trans>End now</Trans>
              </Button>
            )}
            <Button look="danger" aria-label={t`Delete ${name}`} onClick={() => onAsk({ what: 'delete', window })}>
              <Trans>Delete</Trans>
            </Button>
          </>
        )
      }
    />
  )
}

function When({ of }: { of: MaintenanceRecord }): ReactNode {
  const time = timeOf(of)
  if (time === null) return t`Not within five weeks`
  return <TimeRange from={time.starts_at} to={time.ends_at} />
}

type AskedOf = { window: MaintenanceRecord; onClose: () => void }

function End({ window: { id, name, schedule }, onClose }: AskedOf): ReactNode {
  const api = useMaintenanceApi()
  const changed = useChanged()
  const toast = useToast()
  const submit = async (): Promise<void> => {
    await api.end(id)
    await changed(maintenanceKey)
    toast(t`${name} has ended.`)
    onClose()
  }
  return (
    <FormDialog title={t`End ${name} now?`} submit={t`End now`} onSubmit={submit} onClose={onClose}>
      <p className="text-muted">
        {schedule.type === 'once' ? (
          <Trans>Outages that are still ongoing then are alerted at once.</Trans>
        ) : (
          <Trans>Outages that are still ongoing then are alerted at once. Later times stay planned.</Trans>
        )}
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
    toast(t`${name} is deleted.`)
    onClose()
  }
  return (
    <DeleteDialog title={t`Delete ${name}?`} onSubmit={submit} onClose={onClose}>
      <p className="text-muted">
        {current === null ? (
          <Trans>It will not take place, and is removed from status pages.</Trans>
        ) : (
          <Trans>It ends now, will not take place again, and is removed from status pages.</Trans>
        )}
      </p>
    </DeleteDialog>
  )
}
