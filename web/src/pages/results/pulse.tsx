import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import type { LocationRecord, MonitorDetail, MonitorRecord, ResultRecord } from '../../api/monitors.ts'
import { Section } from '../../parts/page.tsx'
import { Status } from '../../parts/status.tsx'
import { Time, useNow } from '../../parts/time.tsx'
import { nameOf } from './chart-data.ts'
import { milliseconds } from '../monitor/details.ts'
import { isProbed } from '../monitor/kinds.ts'

/** How long a monitor counts as new, and how long its page is in a hurry. */
const newMs = 120_000
const hurryMs = 60_000
/** How often its results are asked for in a hurry: the first come within seconds. */
const pulseMs = 1000

/** Whether its maker waits for the first checks, and how often they are to be read then. */
export function usePulse({ data: monitor, uptime }: MonitorDetail, everyMs: number): Pulsing {
  const now = useNow()
  const [openedAt] = useState(Date.now)
  const { kind, status, last_checked_at: last } = monitor
  const { watched_since: since } = uptime
  const isNew = since === null ? last === null : now - Date.parse(since) < newMs
  const isWaiting = isNew && isProbed(kind) && status === 'enabled'
  return { isWaiting, pulseMs: isWaiting && now - openedAt < hurryMs ? pulseMs : everyMs }
}

type Pulsing = { isWaiting: boolean; pulseMs: number }

type PulseProps = { monitor: MonitorRecord; results: readonly ResultRecord[]; locations: readonly LocationRecord[] }

/** The first checks of a new monitor as they come, in place of charts that have nothing to show yet. */
export function Pulse({ monitor, results, locations }: PulseProps): ReactNode {
  const answered = monitor.locations.filter((code) => results.some(({ location_code: at }) => at === code))
  const isWaiting = answered.length < monitor.locations.length
  return (
    <Section
      title={t`First checks`}
      lead={isWaiting ? t`They are under way, and appear here as they come in.` : t`Every location has checked it.`}
    >
      <ul aria-label={t`First checks`} aria-live="polite" className="divide-y divide-line">
        {monitor.locations.map((code) => (
          <Place
            key={code}
            name={nameOf(code, locations)}
            results={results.filter(({ location_code: at }) => at === code)}
          />
        ))}
      </ul>
    </Section>
  )
}

const mostShown = 5

function Place({ name, results }: { name: string; results: readonly ResultRecord[] }): ReactNode {
  const [newest] = results
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2.5 text-sm">
      <span className="min-w-28 font-medium">{name}</span>
      {newest === undefined ? (
        <span className="flex items-center gap-2 text-muted">
          <span aria-hidden="true" className="size-2.5 rounded-full bg-accent motion-safe:animate-pulse" />
          <Trans>Checking …</Trans>
        </span>
      ) : (
        <>
          <Status of={newest.status} />
          <span className="tabular-nums">{results.slice(0, mostShown).map(answerText).toReversed().join(' · ')}</span>
          <span className="ml-auto text-muted tabular-nums">
            <Time at={newest.checked_at} by="second" />
          </span>
          {newest.error !== null && <span className="basis-full text-muted wrap-anywhere">{newest.error}</span>}
        </>
      )}
    </li>
  )
}

function answerText({ latency_ms: latency }: ResultRecord): string {
  return latency === null ? '–' : milliseconds(latency)
}
