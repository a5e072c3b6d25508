import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import type { MonitorEvent, MonitorRecord } from '../../api/monitors.ts'
import { Row, Rows } from '../../parts/list.tsx'
import { Section } from '../../parts/page.tsx'
import { useShown } from '../../parts/shown.tsx'
import { Time } from '../../parts/time.tsx'
import { useRead } from '../../session/workspace.tsx'
import { eventsKey, useMonitors } from '../../session/use-monitors.ts'

const eventWords: Readonly<Record<MonitorEvent['type'], MessageDescriptor>> = {
  degraded: msg`Degraded`,
  degraded_ended: msg`No longer degraded`,
  slow: msg`Slower than usual`,
  slow_ended: msg`As fast as usual again`,
}

type EpisodesProps = { monitor: MonitorRecord; everyMs: number }

/** When it told that it is degraded, the newest first. Most monitors tell of none. */
export function Episodes({ monitor: { id }, everyMs }: EpisodesProps): ReactNode {
  const monitors = useMonitors()
  const { data: events } = useRead(eventsKey(id), { read: () => monitors.listEvents(id), everyMs })
  const { shown, more } = useShown(events)
  if (events.length === 0) return null
  const title = t`Degraded and slow`
  return (
    <Section title={title} lead={t`No incidents, and no downtime.`}>
      <Rows label={title}>
        {shown.map(({ id: key, type, at, message }) => (
          <Row
            key={key}
            title={i18n._(eventWords[type])}
            details={
              <>
                <Time at={at} /> · {message}
              </>
            }
          />
        ))}
      </Rows>
      {more}
    </Section>
  )
}
