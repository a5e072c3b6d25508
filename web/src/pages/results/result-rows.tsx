import { plural, t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import type { LocationRecord, ResultRecord } from '../../api/monitors.ts'
import { Fact, Facts } from '../../parts/facts.tsx'
import { Chevron } from '../../parts/icons.tsx'
import { Status } from '../../parts/status.tsx'
import { Time, TimeRange } from '../../parts/time.tsx'
import { nameOf } from './chart-data.ts'
import { detailFacts, milliseconds, phasesOf } from '../monitor/details.ts'
import { PhaseBar } from './phases.tsx'

type ResultsProps = { results: readonly ResultRecord[]; locations: readonly LocationRecord[] }

/** Results, each with what it tells when it is opened. */
export function ResultRows({ results, locations }: ResultsProps): ReactNode {
  return (
    <ul aria-label={t`Results`} className="-my-1 divide-y divide-line">
      {results.map((result) => (
        <Result key={result.id} result={result} place={nameOf(result.location_code, locations)} />
      ))}
    </ul>
  )
}

/** On a phone the place and the figures of a row stand below its time; where there is room all stand in columns. */
const columns =
  'grid grid-cols-[6.5rem_1fr_1rem] sm:grid-cols-[6.5rem_minmax(14rem,2fr)_minmax(5rem,1fr)_5.5rem_6rem_1rem]'

function Result({ result, place }: { result: ResultRecord; place: string }): ReactNode {
  const { status, checked_at: at, last_checked_at: last, latency_ms: latency, error, repeats } = result
  return (
    <li>
      <details className="group">
        <summary className={`items-center gap-x-3 gap-y-1 py-2.5 sm:gap-x-4 text-sm ${columns}`}>
          <span>
            <Status of={status} />
          </span>
          <span className="tabular-nums">
            {last === null ? <Time at={at} by="second" /> : <TimeRange from={at} to={last} by="second" />}
          </span>
          <span className="col-span-2 col-start-2 flex flex-wrap gap-x-3 sm:contents">
            <span className="text-muted">{place}</span>
            <span className="text-right tabular-nums max-sm:empty:hidden">
              {latency !== null && milliseconds(latency)}
            </span>
            <span className="text-right text-muted tabular-nums max-sm:empty:hidden">
              {repeats > 1 && plural(repeats, { one: '# check', other: '# checks' })}
            </span>
          </span>
          <span className="text-muted group-open:rotate-180 max-sm:col-start-3 max-sm:row-start-1">
            <Chevron />
          </span>
          {error !== null && <span className="col-start-2 -col-end-1 text-muted wrap-anywhere">{error}</span>}
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
