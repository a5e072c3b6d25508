import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useRef, useState } from 'react'
import { useLive } from '../../session/live.ts'
import { useWorkspace } from '../../session/workspace.tsx'
import { overviewQuery } from './monitors-query.ts'
import { type MonitorList, withMessage } from './monitors-rows.ts'
import type { Freshness } from './monitors-states.tsx'

/** While changes are told everything is read again now and then, for what no message says: uptime, days that end. */
const [liveReadMs, otherwiseReadMs] = [300_000, 15_000]
const shortestReadMs = 5000

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
    refetchInterval: isLive ? liveReadMs : otherwiseReadMs,
  })
  const readAgain = useCallback(() => client.invalidateQueries({ queryKey }), [client, queryKey])
  const readSoon = useRarely(readAgain)
  const state = useLive({
    since: list.horizon,
    onBegin: () => void readAgain(),
    onMessage: (message) => {
      const known = client.getQueryData<MonitorList>(queryKey)
      if (known === undefined) return
      const next = withMessage(known, message)
      client.setQueryData(queryKey, next.list)
      if (!next.isWhole) readSoon()
    },
  })
  if (isLive !== (state === 'live')) setLive(state === 'live')
  const freshness = error === null ? (isLive ? 'live' : 'asked') : 'old'
  return { list, freshness, readAgain }
}

/** At once, and then not before some seconds have passed; asked meanwhile, once they have. */
function useRarely(work: () => Promise<void>): () => void {
  const turn = useRef<{ lastMs: number; timer: number | null }>({ lastMs: -Infinity, timer: null })
  return () => {
    const own = turn.current
    if (own.timer !== null) return
    own.timer = window.setTimeout(
      () => {
        own.timer = null
        own.lastMs = performance.now()
        void work()
      },
      Math.max(0, own.lastMs + shortestReadMs - performance.now()),
    )
  }
}
