import { useEffect, useRef, useState } from 'react'
import { type LiveMessage, livePath } from '../api/overview.ts'
import { useWorkspace } from './workspace.tsx'

/** `off`: the service takes no more streams, or does not answer; the page asks now and then instead. */
export type LiveState = 'connecting' | 'live' | 'off'

export type LiveHandlers = {
  /** The `horizon` of what was read: the first stream goes on from there, so that nothing is read again. */
  since?: string
  /** Whatever was read before may be old: from now on everything is told, or else nothing, as after signing out. */
  onBegin: () => void
  onMessage: (message: LiveMessage) => void
}

const askAgainMs = 15_000
/** A hidden page gives its connection back: over HTTP/1.1 a browser has six for all of its tabs. */
const hiddenMs = 10_000

/** Is told of what changes in the workspace while the page is looked at, and again after every interruption. */
export function useLive(handlers: LiveHandlers): LiveState {
  const { workspace } = useWorkspace()
  const [state, setState] = useState<LiveState>('connecting')
  const latest = useRef(handlers)
  useEffect(() => {
    latest.current = handlers
  })
  useEffect(() => {
    const stream = keepStream(workspace.id, {
      since: latest.current.since ?? null,
      onState: setState,
      onBegin: () => latest.current.onBegin(),
      onMessage: (message) => latest.current.onMessage(message),
    })
    return stream.end
  }, [workspace.id])
  return state
}

type Parts = Omit<LiveHandlers, 'since'> & { since: string | null; onState: (state: LiveState) => void }

function keepStream(workspaceId: string, parts: Parts): { end: () => void } {
  let source: EventSource | null = null
  let { since } = parts
  let timer: number | null = null
  const wait = (ms: number, then: () => void): void => {
    if (timer !== null) clearTimeout(timer)
    timer = window.setTimeout(then, ms)
  }
  const stop = (): void => {
    source?.close()
    source = null
  }
  const begin = (): void => {
    if (source !== null) return
    source = open(livePath(workspaceId, since), { ...parts, goesOn: since !== null }, () => {
      stop()
      wait(askAgainMs, begin)
      parts.onBegin()
    })
    since = null
  }
  const onVisibility = (): void => {
    if (document.hidden) wait(hiddenMs, stop)
    else wait(0, begin)
  }
  document.addEventListener('visibilitychange', onVisibility)
  if (!document.hidden) begin()
  return {
    end: () => {
      document.removeEventListener('visibilitychange', onVisibility)
      if (timer !== null) clearTimeout(timer)
      stop()
    },
  }
}

/**
 * `goesOn`: the first message goes on where what was read ended, so that nothing is read again. `onRefused`: the browser
 * does not come back by itself, as after an answer that is no stream (WHATWG HTML 9.2.2).
 */
function open(
  path: string,
  { onState, onBegin, onMessage, goesOn }: Parts & { goesOn: boolean },
  onRefused: () => void,
): EventSource {
  const source = new EventSource(path)
  let isBegun = false
  let isKnown = goesOn
  source.addEventListener('message', ({ data }: MessageEvent<string>) => {
    const message: LiveMessage = JSON.parse(data)
    if (!isBegun) {
      isBegun = true
      onState('live')
      if (!isKnown) onBegin()
      isKnown = false
    }
    onMessage(message)
  })
  source.addEventListener('error', () => {
    isBegun = false
    const isRefused = source.readyState === EventSource.CLOSED
    onState(isRefused ? 'off' : 'connecting')
    if (isRefused) onRefused()
  })
  return source
}
