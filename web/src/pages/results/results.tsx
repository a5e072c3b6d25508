import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useSuspenseInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode } from 'react'
import type { LocationRecord, MonitorRecord, ResultsAsked } from '../../api/monitors.ts'
import { Empty } from '../../parts/list.tsx'
import { ShowOlder } from '../../parts/older.tsx'
import { Section, linkClass } from '../../parts/page.tsx'
import { TimeRange } from '../../parts/time.tsx'
import { Awaited, Waiting } from '../../parts/waiting.tsx'
import { resultPagesKey, useMonitors } from '../../session/use-monitors.ts'
import { useRead, useWorkspace } from '../../session/workspace.tsx'
import { type MonitorSearch, readMonitorSearch } from './chart-range.ts'
import { Choice } from '../monitor/choice.tsx'
import { nameOf } from './chart-data.ts'
import { ExportResults } from './export-results.tsx'
import { ResultRows } from './result-rows.tsx'

type Filter = Pick<MonitorSearch, 'status' | 'location' | 'since' | 'until'>
type ResultsProps = { monitor: MonitorRecord; everyMs: number }

/** All results that are kept, the newest first. The filter stands in the address. */
export function Results({ monitor, everyMs }: ResultsProps): ReactNode {
  const monitors = useMonitors()
  const { data: locations } = useRead('locations', { read: () => monitors.listLocations() })
  const { tab: _tab, range: _range, ...filter } = readMonitorSearch(useSearch({ strict: false }))
  return (
    <Section
      title={t`Results`}
      lead={t`Older ones of the same kind are merged.`}
      action={<ExportResults monitor={monitor} filter={filter} />}
    >
      <Filters {...{ monitor, locations, filter }} />
      <Awaited key={JSON.stringify(filter)} fallback={<Waiting />}>
        <List {...{ monitor, locations, filter, everyMs }} />
      </Awaited>
    </Section>
  )
}

type FiltersProps = { monitor: MonitorRecord; locations: readonly LocationRecord[]; filter: Filter }

function Filters({ monitor: { id, locations: codes }, locations, filter }: FiltersProps): ReactNode {
  const navigate = useNavigate()
  const choose = (next: Filter): void =>
    void navigate({ to: '/monitors/$id', params: { id }, search: searchOf(next), replace: true, resetScroll: false })
  const { status, location, since, until, ...others } = filter
  const time = since === undefined || until === undefined ? {} : { since, until }
  const ofPlace = location === undefined ? {} : { location }
  const ofStatus = status === undefined ? {} : { status }
  const statuses = [
    { value: 'all', label: t({ message: 'All', context: 'results' }) },
    { value: 'down', label: t`Failures` },
    { value: 'degraded', label: t({ message: 'Degraded', context: 'results' }) },
    { value: 'up', label: t({ message: 'Up', context: 'results' }) },
  ] as const
  const places = codes.map((value) => ({ value, label: nameOf(value, locations) }))
  return (
    <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2 text-sm">
      <Choice
        label={t`Shown`}
        options={statuses}
        value={status ?? 'all'}
        onChange={(value) => choose({ ...others, ...time, ...ofPlace, ...(value === 'all' ? {} : { status: value }) })}
      />
      {places.length > 1 && (
        <Choice
          label={t`Location`}
          options={[{ value: '', label: t`All locations` }, ...places]}
          value={location ?? ''}
          onChange={(value) =>
            choose({ ...others, ...time, ...ofStatus, ...(value === '' ? {} : { location: value }) })
          }
        />
      )}
      {since !== undefined && until !== undefined && (
        <p className="flex flex-wrap gap-x-3">
          <TimeRange from={since} to={until} />
          <Link to="/monitors/$id" params={{ id }} search={searchOf({ ...ofStatus, ...ofPlace })} className={linkClass}>
            <Trans>Of all time</Trans>
          </Link>
        </p>
      )}
    </div>
  )
}

function searchOf(filter: Filter): MonitorSearch {
  return { tab: 'results', ...filter }
}

const pageSize = 100

type ListProps = FiltersProps & { everyMs: number }

/** The first page is read again while it is looked at; whoever has gone further back reads in peace. */
function List({ monitor: { id }, locations, filter, everyMs }: ListProps): ReactNode {
  const monitors = useMonitors()
  const { workspace } = useWorkspace()
  const asked: ResultsAsked = { ...filter, limit: pageSize }
  const pages = useSuspenseInfiniteQuery({
    queryKey: ['workspace', workspace.id, resultPagesKey(id), filter],
    queryFn: ({ pageParam }) => monitors.pageResults(id, asked, pageParam),
    initialPageParam: '',
    getNextPageParam: (page): string | null => page.next_cursor,
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? false : everyMs),
  })
  const results = pages.data.pages.flatMap(({ data }) => data)
  if (results.length === 0) return <Empty>{nothingText(filter)}</Empty>
  return (
    <>
      <ResultRows results={results} locations={locations} />
      <ShowOlder pages={pages} />
    </>
  )
}

function nothingText(filter: Filter): string {
  const isAll = Object.values(filter).every((value) => value === undefined)
  return isAll ? t({ message: 'None yet.', context: 'results' }) : t`No results match.`
}
