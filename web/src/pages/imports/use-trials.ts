import { t } from '@lingui/core/macro'
import { useEffect, useRef, useState } from 'react'
import { ApiError } from '../../api/ask.ts'
import type { ImportReport, TrialRecord } from '../../api/imports.ts'
import { patiently } from './patience.ts'
import { useImportsApi } from './use-imports.ts'

/** A workspace may have four checks under way, and other pages make some, too. */
const atOnce = 2

/** What a check found, or why it could not be made. */
export type Trial = Pick<TrialRecord, 'status' | 'error'> | { status: null; error: string }

export type Trials = {
  found: ReadonlyMap<string, Trial>
  isRunning: boolean
  isWaiting: boolean
  start: () => Promise<void>
  stop: () => void
}

/** Checks once what monitors would check, before they are made. Those that were tried are not tried again. */
export function useTrials(checks: ImportReport['checks']): Trials {
  const api = useImportsApi()
  const [found, setFound] = useState<ReadonlyMap<string, Trial>>(new Map())
  const [isRunning, setRunning] = useState(false)
  const [isWaiting, setWaiting] = useState(false)
  const ending = useRef<AbortController | null>(null)
  useEffect(() => () => ending.current?.abort(), [])
  const start = async (): Promise<void> => {
    const end = new AbortController()
    ending.current = end
    const left = checks.filter(({ key }) => !found.has(key))
    setRunning(true)
    const work = async (): Promise<void> => {
      for (let next = left.shift(); next !== undefined && !end.signal.aborted; next = left.shift()) {
        const { key, input } = next
        const trial = await patiently(() => api.tryCheck(input), end.signal, setWaiting).catch(untried)
        if (trial !== null && !end.signal.aborted) setFound((all) => new Map(all).set(key, trial))
      }
    }
    await Promise.all(Array.from({ length: atOnce }, work))
    if (ending.current === end) setRunning(false)
  }
  const stop = (): void => {
    ending.current?.abort()
    setRunning(false)
    setWaiting(false)
  }
  return { found, isRunning, isWaiting, start, stop }
}

function untried(error: unknown): Trial {
  return { status: null, error: error instanceof ApiError ? error.message : t`It could not be tried.` }
}
