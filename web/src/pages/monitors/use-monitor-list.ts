import { type QueryClient, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { useLive } from '../../session/live.ts'
import { useWorkspace } from '../../session/workspace.tsx'
import { overviewQuery } from './monitors-query.ts'
import type { MonitorList } from './monitors-rows.ts'
import type { Freshness } from './monitors-states.tsx'
import { withMessage } from './monitors-told.ts'

/** While changes are told everything is read again now and then, for what no message says: uptime, days that end. */
const [liveReadMs, otherwiseReadMs] = [300_000, 15_000]
const [shortestReadMs, busyMs] = [5000, 1000]
/** Reading because of what was told takes a third of the time at most, however much there is. */
const restFactor = 2

export type Listed = { list: MonitorList; freshness: Freshness; readAgain: () => Promise<void> }

/** All monitors of the workspace, kept as they are while the page is looked at. */
export function useMonitorList(): Listed {
  const { workspace } = useWorkspace()
  const client = useQueryClient()
  const query = useMemo(() => overviewQuery(workspace.id), [workspace.id])
  const { queryKey } = query
  const [isLive, setLive] = useState(false)
  const { data: list, error } = useSuspenseQuery({
    ...query,
    // What broke off is begun again soon.
    refetchInterval: ({ state }) => (isLive && state.data?.isComplete === true ? liveReadMs : otherwiseReadMs),
  })
  const readAgain = useCallback(() => client.invalidateQueries({ queryKey }), [client, queryKey])
  const isReading = useCallback(() => client.isFetching({ queryKey, exact: true }) > 0, [client, queryKey])
  const readSoon = useMemo(() => rarely(readAgain, isReading), [readAgain, isReading])
  const state = useLive({
    since: list.horizon,
    onBegin: readSoon,
    onMessage: (message) => {
      const known = client.getQueryData<MonitorList>(queryKey)
      if (known === undefined) return
      const next = withMessage(known, message, isReading())
      client.setQueryData(queryKey, next.list)
      if (!next.isWhole) readSoon()
    },
  })
  // Monitors that were deleted, or made late, while their pages were read.
  const isOff = list.isComplete && list.total !== null && list.total !== list.rows.length
  useEffect(() => {
    if (isOff) readSoon()
  }, [isOff, readSoon])
  useEffect(() => () => endReading(client, queryKey), [client, queryKey])
  if (isLive !== (state === 'live')) setLive(state === 'live')
  const freshness = error === null ? (isLive ? 'live' : 'asked') : 'old'
  return { list, freshness, readAgain }
}

/** Pages that were still to come are read when somebody looks again. */
function endReading(client: QueryClient, queryKey: readonly unknown[]): void {
  const filter = { queryKey, exact: true }
  void client.cancelQueries(filter)
  if (client.getQueryData<MonitorList>(queryKey)?.isComplete === false)
    void client.invalidateQueries({ ...filter, refetchType: 'none' })
}

/**
 * Does the work at once, and then not before some seconds have passed; asked meanwhile, or while it is busy, once they
 * have. What takes long rests for longer.
 */
function rarely(work: () => Promise<void>, isBusy: () => boolean): () => void {
  let nextMs = 0
  let timer: number | null = null
  const plan = (): void => {
    timer ??= window.setTimeout(() => void run(), Math.max(0, nextMs - performance.now()))
  }
  const run = async (): Promise<void> => {
    timer = null
    const begunMs = performance.now()
    if (isBusy()) nextMs = begunMs + busyMs
    if (begunMs < nextMs) return plan()
    nextMs = begunMs + shortestReadMs
    await work()
    const endedMs = performance.now()
    nextMs = Math.max(nextMs, endedMs + restFactor * (endedMs - begunMs))
  }
  return plan
}
