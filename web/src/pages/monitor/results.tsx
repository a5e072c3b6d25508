import { plural, t } from '@lingui/core/macro'
import { type ReactNode, useState } from 'react'
import type { LocationRecord, MonitorRecord, ResultRecord } from '../../api/monitors.ts'
import { Fact, Facts } from '../../parts/facts.tsx'
import { Chevron } from '../../parts/icons.tsx'
import { Empty } from '../../parts/list.tsx'
import { Section } from '../../parts/page.tsx'
import { useShown } from '../../parts/shown.tsx'
import { Status } from '../../parts/status.tsx'
import { Time, TimeRange } from '../../parts/time.tsx'
import { useRead } from '../../session/workspace.tsx'
import { Choice } from './choice.tsx'
import { detailFacts, milliseconds, phasesOf } from './details.ts'
import { PhaseBar } from './phases.tsx'
import { resultsKey, useMonitors } from '../../session/use-monitors.ts'

/** The newest 500, each with what it tells. */
export function Results({ monitor: { id }, everyMs }: { monitor: MonitorRecord; everyMs: number }): ReactNode {
  const monitors = useMonitors()
  const { data: results } = useRead(resultsKey(id), { read: () => monitors.listResults(id), everyMs })
  const { data: locations } = useRead('locations', { read: () => monitors.listLocations() })
  const [filter, setFilter] = useState<'all' | 'failures'>('all')
  const wanted = filter === 'all' ? results : results.filter(({ status }) => status !== 'up')
  const { shown, more } = useShown(wanted)
  const filters = [
    { value: 'all', label: t({ message: 'All', context: 'results' }) },
    { value: 'failures', label: t`Failures` },
  ] as const
  return (
    <Section
      title={t`Results`}
      lead={t`The newest 500. Older ones of the same kind are merged.`}
      action={<Choice label={t`Shown`} options={filters} value={filter} onChange={setFilter} />}
    >
      {wanted.length === 0 ? (
        <Empty>{filter === 'all' ? t({ message: 'None yet.', context: 'results' }) : t`No failures among them.`}</Empty>
      ) : (
        <ul aria-label={t`Results`} className="-my-1 divide-y divide-line">
          {shown.map((result) => (
            <Result key={result.id} result={result} locations={locations} />
          ))}
        </ul>
      )}
      {more}
    </Section>
  )
}

type ResultProps = { result: ResultRecord; locations: readonly LocationRecord[] }

function Result({ result, locations }: ResultProps): ReactNode {
  const { status, checked_at: at, last_checked_at: last, latency_ms: latency, error, repeats } = result
  const place = locations.find(({ code }) => code === result.location_code)?.name ?? result.location_code
  return (
    <li>
      <details className="group">
        <summary className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2.5 text-sm">
          <span className="sm:min-w-24">
            <Status of={status} />
          </span>
          <span className="tabular-nums">{last === null ? <Time at={at} /> : <TimeRange from={at} to={last} />}</span>
          <span className="text-muted">{place}</span>
          {latency !== null && <span className="tabular-nums">{milliseconds(latency)}</span>}
          {repeats > 1 && <span className="text-muted">{plural(repeats, { one: '# check', other: '# checks' })}</span>}
          <span className="ml-auto text-muted group-open:rotate-180">
            <Chevron />
          </span>
          {error !== null && <span className="basis-full text-muted wrap-anywhere">{error}</span>}
        </summary>
        <Details result={result} />
      </details>
    </li>
  )
}

function Details({ result }: { result: ResultRecord }): ReactNode {
  const { status_code: code, latency_max_ms: slowest, details, checked_at: at } = result
  const phases = phasesOf(details)
  return (
    <div className="flex flex-col gap-3 pb-4">
      {phases.length > 0 && <PhaseBar phases={phases} />}
      <Facts>
        <Fact term="UTC">{at.replace('T', ' ').replace('Z', '')}</Fact>
        {code !== null && <Fact term={t`Status`}>{code}</Fact>}
        {slowest !== null && <Fact term={t`Slowest`}>{milliseconds(slowest)}</Fact>}
        {detailFacts(details).map(({ term, text }) => (
          <Fact key={term} term={term}>
            {text}
          </Fact>
        ))}
      </Facts>
    </div>
  )
}
