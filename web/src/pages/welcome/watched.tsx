import { plural } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useId } from 'react'
import { linkClass } from '../../parts/page.tsx'
import { Status } from '../../parts/status.tsx'
import { milliseconds } from '../monitor/details.ts'
import type { MonitorList } from '../monitors/monitors-rows.ts'

/** More are with the monitors. */
const mostShown = 10

/** How the monitors are, kept true while it is looked at. */
export function Watched({ list: { rows }, title }: { list: MonitorList; title: string }): ReactNode {
  const id = useId()
  const more = rows.length - mostShown
  return (
    <section aria-labelledby={id} className="flex flex-col gap-2">
      <h3 id={id} className="font-semibold">
        {title}
      </h3>
      <ul aria-labelledby={id} className="divide-y divide-line rounded-lg border border-line">
        {rows.slice(0, mostShown).map(({ id: monitorId, name, url, state, latencyMs }) => (
          <li key={monitorId} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-3.5 py-2.5">
            <span className="min-w-0 grow basis-40 wrap-anywhere">
              <Link to="/monitors/$id" params={{ id: monitorId }} className="font-medium hover:underline">
                {name}
              </Link>{' '}
              {url !== null && url !== name && <span className="text-sm text-muted">{url}</span>}
            </span>
            <span className="flex items-center gap-3">
              {latencyMs !== null && <span className="text-sm text-muted tabular-nums">{milliseconds(latencyMs)}</span>}
              <Status of={state} />
            </span>
          </li>
        ))}
      </ul>
      {more > 0 && (
        <Link to="/monitors" className={`${linkClass} text-sm`}>
          {plural(more, { one: 'and # more', other: 'and # more' })}
        </Link>
      )}
    </section>
  )
}
