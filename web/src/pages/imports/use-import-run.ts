import { useEffect, useRef, useState } from 'react'
import type { ImportRecord } from '../../api/imports.ts'
import { problemOf } from '../../parts/problem.ts'
import { useChanged } from '../../session/workspace.tsx'
import { patiently } from './patience.ts'
import { importKey, importsKey, useImportsApi } from './use-imports.ts'

export type Run = {
  /** As it is by now. */
  record: ImportRecord
  isRunning: boolean
  isWaiting: boolean
  /** Why it broke off. It can be gone on with. */
  trouble: string | null
  /** Makes the rest; `again` also what was refused before. */
  goOn: (again: boolean) => Promise<void>
  takeBack: () => Promise<void>
  stop: () => void
}

/** Has the service do a part of an import after the other, as long as this page is there. */
export function useImportRun(read: ImportRecord): Run {
  const api = useImportsApi()
  const changed = useChanged()
  const [record, setRecord] = useState(read)
  const [isRunning, setRunning] = useState(false)
  const [isWaiting, setWaiting] = useState(false)
  const [trouble, setTrouble] = useState<string | null>(null)
  const ending = useRef<AbortController | null>(null)
  useEffect(() => () => ending.current?.abort(), [])
  const run = async (
    until: ImportRecord['state'],
    step: (isFirst: boolean) => Promise<ImportRecord>,
  ): Promise<void> => {
    ending.current?.abort()
    const end = new AbortController()
    ending.current = end
    setRunning(true)
    setTrouble(null)
    try {
      for (let isFirst = true; !end.signal.aborted; isFirst = false) {
        const next = await patiently(() => step(isFirst), end.signal, setWaiting)
        if (next === null || end.signal.aborted) break
        setRecord(next)
        if (next.state === until) break
      }
    } catch (error) {
      if (!end.signal.aborted) setTrouble(problemOf(error).message)
    }
    await changed(importsKey, importKey(read.id), 'overview', 'contacts')
    if (ending.current === end) setRunning(false)
  }
  return {
    record,
    isRunning,
    isWaiting,
    trouble,
    goOn: (again) => run('done', (isFirst) => api.goOn(read.id, again && isFirst)),
    takeBack: () => run('undone', () => api.undo(read.id)),
    stop: () => {
      ending.current?.abort()
      setRunning(false)
      setWaiting(false)
    },
  }
}
