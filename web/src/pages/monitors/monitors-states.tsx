import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { numberText } from '../../parts/language.ts'
import { linkClass } from '../../parts/page.tsx'
import { Ago } from '../../parts/time.tsx'
import { useWorkspace } from '../../session/workspace.tsx'
import type { ShownState } from '../../api/overview.ts'
import type { MonitorList } from './monitors-rows.ts'

/** `old`: the service did not answer when it was asked last. */
export type Freshness = 'live' | 'asked' | 'old'

const freshnesses: Readonly<Record<Freshness, { words: MessageDescriptor; dot: string }>> = {
  live: { words: msg`Live`, dot: 'bg-good-bar' },
  asked: { words: msg`Read every 15 seconds`, dot: 'border-2 border-muted' },
  old: { words: msg`Not up to date: the service does not answer`, dot: 'border-2 border-bad' },
}

/** How all is, since when, and whether the page is told of changes. */
export function MonitorsSummary({ list, freshness }: { list: MonitorList; freshness: Freshness }): ReactNode {
  return (
    <span role="status" className="flex flex-wrap items-center gap-x-3">
      <span>{list.isComplete ? <Standing list={list} /> : readText(list)}</span>
      <span className="inline-flex items-center gap-1.5 text-xs">
        <span aria-hidden="true" className={`size-2 rounded-full ${freshnesses[freshness].dot}`} />
        {i18n._(freshnesses[freshness].words)}
      </span>
    </span>
  )
}

/** Until all are there nothing is said of all: what is counted, found and sorted is what has come. */
function readText({ rows, total }: MonitorList): string {
  const read = numberText(rows.length)
  if (total === null) return t`${read} monitors so far, others are being loaded.`
  const all = numberText(total)
  return t`${read} of ${all} monitors so far, the others are being loaded.`
}

/** How many are down or degraded, and since when. */
function Standing({ list: { rows, incidents, quietSince } }: { list: MonitorList }): ReactNode {
  const count = (state: ShownState): number => rows.filter((row) => row.state === state).length
  const [down, degraded, watched] = [count('down'), count('degraded'), rows.length - count('paused')]
  const summary = countsText({ down, degraded, watched })
  const oldest = incidents.at(-1)
  if (down > 0 && oldest !== undefined)
    return (
      <Trans>
        {summary}, the first <Ago at={oldest.started_at} />.
      </Trans>
    )
  if (down === 0 && quietSince !== null)
    return (
      <Trans>
        {summary}; the last incident ended <Ago at={quietSince} />.
      </Trans>
    )
  return `${summary}.`
}

type Counts = { down: number; degraded: number; watched: number }

function countsText({ down, degraded, watched }: Counts): string {
  const broken = numberText(down)
  const weak = numberText(degraded)
  if (down > 0) return plural(watched, { one: `${broken} of # monitor down`, other: `${broken} of # monitors down` })
  if (degraded > 0)
    return plural(watched, {
      one: `None of # monitor down, ${weak} degraded`,
      other: `None of # monitors down, ${weak} degraded`,
    })
  return plural(watched, { one: '# monitor watched, none down', other: '# monitors watched, none down' })
}

export function NoMonitors({ mayWrite }: { mayWrite: boolean }): ReactNode {
  const { isOwner } = useWorkspace()
  return (
    <div className="rounded-xl border border-dashed border-edge/50 px-6 py-12 text-center">
      <h2 className="font-semibold">
        <Trans>Nothing is watched yet</Trans>
      </h2>
      <p className="mx-auto mt-1 mb-5 max-w-md text-muted">
        {mayWrite
          ? t`Enter an address, and its first check runs at once.`
          : t`Members of this workspace create monitors.`}{' '}
        {isOwner && (
          <Trans>
            Programs and agents create them through the API, with a token from{' '}
            <Link to="/settings/tokens" className={linkClass}>
              API tokens
            </Link>
            .
          </Trans>
        )}
      </p>
      {mayWrite && (
        <div className="flex flex-wrap justify-center gap-2">
          <ButtonLink to="/welcome" look="primary">
            <Trans>Set up step by step</Trans>
          </ButtonLink>
          <ButtonLink to="/monitors/new">
            <Trans>Create a monitor</Trans>
          </ButtonLink>
          <ButtonLink to="/settings/import">
            <Trans>Move in from another tool</Trans>
          </ButtonLink>
        </div>
      )}
    </div>
  )
}

export function NoneFound({ onClear }: { onClear: () => void }): ReactNode {
  return (
    <div role="status" className="rounded-xl border border-dashed border-edge/50 px-6 py-12 text-center">
      <h2 className="font-semibold">
        <Trans>No monitor matches</Trans>
      </h2>
      <p className="mx-auto mt-1 mb-5 max-w-md text-muted">
        <Trans>Change the search or the filters.</Trans>
      </p>
      <Button onClick={onClear}>
        <Trans>Show all</Trans>
      </Button>
    </div>
  )
}
