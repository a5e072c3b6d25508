import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Button, ButtonLink } from '../parts/button.tsx'
import { linkClass } from '../parts/page.tsx'
import { Ago } from '../parts/time.tsx'
import { useWorkspace } from '../workspace.tsx'
import type { MonitorList } from './monitors-rows.ts'

/** `old`: the service did not answer when it was asked last. */
export type Freshness = 'live' | 'asked' | 'old'

const freshnesses: Readonly<Record<Freshness, { words: string; dot: string }>> = {
  live: { words: 'Live', dot: 'bg-good-bar' },
  asked: { words: 'Read every 15 seconds', dot: 'border-2 border-muted' },
  old: { words: 'Not up to date: the service does not answer', dot: 'border-2 border-bad' },
}

/** How all is, since when, and whether the page is told of changes. */
export function MonitorsSummary({ list, freshness }: { list: MonitorList; freshness: Freshness }): ReactNode {
  const { rows, incidents, quietSince } = list
  const count = (state: string): number => rows.filter((row) => row.state === state).length
  const [down, degraded, watched] = [count('down'), count('degraded'), rows.length - count('paused')]
  const all = `${watched.toLocaleString('en')} monitor${watched === 1 ? '' : 's'}`
  const oldest = incidents.at(-1)
  return (
    <span role="status" className="flex flex-wrap items-center gap-x-3">
      <span>
        {down > 0 && `${down.toLocaleString('en')} of ${all} down`}
        {down === 0 && degraded > 0 && `None of ${all} down, ${degraded.toLocaleString('en')} degraded`}
        {down === 0 && degraded === 0 && `${all} watched, none down`}
        {down > 0 && oldest !== undefined && (
          <>
            , the first <Ago at={oldest.started_at} />
          </>
        )}
        {down === 0 && quietSince !== null && (
          <>
            ; the last incident ended <Ago at={quietSince} />
          </>
        )}
        .
      </span>
      <span className="inline-flex items-center gap-1.5 text-xs">
        <span aria-hidden="true" className={`size-2 rounded-full ${freshnesses[freshness].dot}`} />
        {freshnesses[freshness].words}
      </span>
    </span>
  )
}

export function NoMonitors({ mayWrite }: { mayWrite: boolean }): ReactNode {
  const { isOwner } = useWorkspace()
  return (
    <div className="rounded-xl border border-dashed border-edge/50 px-6 py-12 text-center">
      <h2 className="font-semibold">Nothing is watched yet</h2>
      <p className="mx-auto mt-1 mb-5 max-w-md text-muted">
        {mayWrite ? 'Name an address, and its first check runs at once.' : 'Members of this workspace create monitors.'}{' '}
        {isOwner && (
          <>
            Programs and agents create them through the API, with a token of{' '}
            <Link to="/settings/tokens" className={linkClass}>
              API tokens
            </Link>
            .
          </>
        )}
      </p>
      {mayWrite && (
        <ButtonLink to="/monitors/new" look="primary">
          Create a monitor
        </ButtonLink>
      )}
    </div>
  )
}

export function NoneFound({ onClear }: { onClear: () => void }): ReactNode {
  return (
    <div role="status" className="rounded-xl border border-dashed border-edge/50 px-6 py-12 text-center">
      <h2 className="font-semibold">No monitor is like that</h2>
      <p className="mx-auto mt-1 mb-5 max-w-md text-muted">Search and filters together leave none.</p>
      <Button onClick={onClear}>Show all</Button>
    </div>
  )
}
