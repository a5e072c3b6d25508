import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { MonitorDetail, MonitorEvent } from '../../api/monitors.ts'
import { Empty, Row, Rows } from '../../parts/list.tsx'
import { Section } from '../../parts/page.tsx'
import { useShown } from '../../parts/shown.tsx'
import { Time } from '../../parts/time.tsx'
import { milliseconds } from './details.ts'
import { useRead } from '../../session/workspace.tsx'
import { eventsKey, useMonitors } from '../../session/use-monitors.ts'

const eventWords: Readonly<Record<MonitorEvent['type'], MessageDescriptor>> = {
  degraded: msg`Degraded`,
  degraded_ended: msg`No longer degraded`,
  slow: msg`Slower than usual`,
  slow_ended: msg`As fast as usual again`,
  unstable: msg`Unstable`,
  unstable_ended: msg`No longer unstable`,
}

type EpisodesProps = { detail: MonitorDetail; everyMs: number }

/** When it told that it is degraded, slow or unstable, the newest first. Most monitors tell of none. */
export function Episodes({ detail, everyMs }: EpisodesProps): ReactNode {
  const monitors = useMonitors()
  const { data: monitor, usual_response: usual } = detail
  const { id, alert_degraded_rounds: rounds } = monitor
  const { data: events } = useRead(eventsKey(id), { read: () => monitors.listEvents(id), everyMs })
  const { shown, more } = useShown(events)
  if (events.length === 0 && rounds === null && usual === null) return null
  const title = t`Degraded, slow, unstable`
  return (
    <Section title={title} lead={t`These times are not incidents and do not count against the uptime.`}>
      {usual !== null && (
        <p className="mb-3 text-sm text-muted">
          <UsualText usual={usual} />
        </p>
      )}
      {events.length === 0 && (
        <Empty>
          <Trans context="times when it was degraded, slow or unstable">None.</Trans>
        </Empty>
      )}
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

function UsualText({ usual }: { usual: NonNullable<MonitorDetail['usual_response']> }): ReactNode {
  const { p95_ms: usualMs, slow_from_ms: slowFromMs } = usual
  if (usualMs === null || slowFromMs === null)
    return <Trans>What is usual at this time of day is not known yet: it takes three days of checks.</Trans>
  const [most, slow] = [milliseconds(usualMs), milliseconds(slowFromMs)]
  return (
    <Trans>
      Up to {most} is usual at this time of day; {slow} and more is slow.
    </Trans>
  )
}
