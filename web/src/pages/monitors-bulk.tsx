import { type ReactNode, useRef, useState } from 'react'
import { ApiError } from '../api/ask.ts'
import { type OverviewApi, overviewApi } from '../api/overview.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Notice } from '../parts/notice.tsx'
import { problemOf } from '../parts/problem.ts'
import { useToast } from '../parts/toast.tsx'
import { useWorkspace } from '../workspace.tsx'
import type { MonitorRow } from './monitors-rows.ts'

type Action = 'pause' | 'resume' | 'remove'

const wordings: Readonly<Record<Action, { verb: string; done: string; says: string }>> = {
  pause: {
    verb: 'Pause',
    done: 'paused',
    says: 'They are not checked any more. Incidents that run are resolved without an alert.',
  },
  resume: { verb: 'Resume', done: 'resumed', says: 'Their first checks run at once.' },
  remove: { verb: 'Delete', done: 'deleted', says: 'Their results go with them, for good. Their incidents stay.' },
}

type BulkProps = {
  chosen: readonly MonitorRow[]
  onSelect: (selected: ReadonlySet<string>) => void
  onChange: () => Promise<void>
}

/** What can be done with all that are selected. */
export function MonitorsBulk({ chosen, onSelect, onChange }: BulkProps): ReactNode {
  const [asked, setAsked] = useState<{ action: Action; rows: readonly MonitorRow[] } | null>(null)
  const running = chosen.filter(({ state }) => state !== 'paused')
  const paused = chosen.filter(({ state }) => state === 'paused')
  const ask = (action: Action, rows: readonly MonitorRow[]): ReactNode => (
    <Button look={action === 'remove' ? 'danger' : 'secondary'} onClick={() => setAsked({ action, rows })}>
      {wordings[action].verb} {rows.length.toLocaleString('en')}
    </Button>
  )
  return (
    <div
      role="group"
      aria-label="Selected monitors"
      className="sticky top-2 z-20 mb-3 flex flex-wrap items-center gap-2 rounded-xl border border-accent-text bg-surface px-4 py-2 shadow-lg"
    >
      <span role="status" className="grow text-sm font-medium">
        {chosen.length.toLocaleString('en')} selected
      </span>
      {running.length > 0 && ask('pause', running)}
      {paused.length > 0 && ask('resume', paused)}
      {ask('remove', chosen)}
      <Button look="quiet" onClick={() => onSelect(new Set())}>
        Clear
      </Button>
      {asked !== null && (
        <Doing
          {...asked}
          onClose={(left) => {
            setAsked(null)
            onSelect(new Set(left))
            void onChange()
          }}
          onCancel={() => setAsked(null)}
        />
      )}
    </div>
  )
}

type DoingProps = {
  action: Action
  rows: readonly MonitorRow[]
  /** `left` are those with which it was not done. */
  onClose: (left: readonly string[]) => void
  onCancel: () => void
}

type Progress = {
  done: number
  failed: readonly { row: MonitorRow; message: string }[]
  isWaiting: boolean
  isOver: boolean
}

/** Asks once more, goes on one by one, and says what could not be done and why. */
function Doing({ action, rows, onClose, onCancel }: DoingProps): ReactNode {
  const { workspace } = useWorkspace()
  const toast = useToast()
  const [progress, setProgress] = useState<Progress | null>(null)
  const stopping = useRef(new AbortController())
  const { verb, done, says } = wordings[action]
  const many = `${rows.length.toLocaleString('en')} monitor${rows.length === 1 ? '' : 's'}`
  const begin = async (): Promise<void> => {
    const api = overviewApi(workspace.id)
    const end = await runAll({ rows, work: (row) => api[action](row.id), signal: stopping.current.signal }, setProgress)
    if (end.done < rows.length) return
    toast(`${many} ${done}.`)
    onClose([])
  }
  if (progress === null)
    return (
      <Dialog title={`${verb} ${many}?`} onClose={onCancel}>
        <Names rows={rows} />
        <p className="mb-5 text-sm text-muted">{says}</p>
        <div className="flex gap-2">
          <Button look={action === 'remove' ? 'danger' : 'primary'} onClick={() => void begin()}>
            {verb} {many}
          </Button>
          <Button onClick={onCancel}>Cancel</Button>
        </div>
      </Dialog>
    )
  const stop = (): void => {
    stopping.current.abort()
    if (progress.isOver) onClose(leftOf(rows, progress))
  }
  return (
    <Dialog title={progress.isOver ? `${progress.done} of ${many} ${done}` : `${verb} ${many}`} onClose={stop}>
      <Bar progress={progress} all={rows.length} label={`${verb} ${many}`} />
      <Failures failed={progress.failed} />
      <Button onClick={stop}>{progress.isOver ? 'Close' : 'Stop'}</Button>
    </Dialog>
  )
}

/** Those that failed, and those that were not reached. */
function leftOf(rows: readonly MonitorRow[], { done, failed }: Progress): string[] {
  return [...failed.map(({ row }) => row.id), ...rows.slice(done + failed.length).map(({ id }) => id)]
}

const namedRows = 5

function Names({ rows }: { rows: readonly MonitorRow[] }): ReactNode {
  const others = rows.length - namedRows
  return (
    <ul className="mb-3 list-disc pl-5 text-sm wrap-anywhere">
      {rows.slice(0, namedRows).map(({ id, name }) => (
        <li key={id}>{name}</li>
      ))}
      {others > 0 && <li>{others.toLocaleString('en')} more</li>}
    </ul>
  )
}

/** The browser's own colours know no theme. */
const progressClass =
  'block h-2 w-full appearance-none overflow-hidden rounded-full bg-sunken [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-accent'

function Bar({ progress, all, label }: { progress: Progress; all: number; label: string }): ReactNode {
  const passed = progress.done + progress.failed.length
  return (
    <div className="mb-4">
      <progress aria-label={label} value={passed} max={all} className={progressClass} />
      <p role="status" className="mt-1.5 text-sm text-muted tabular-nums">
        {passed.toLocaleString('en')} of {all.toLocaleString('en')}
        {progress.isWaiting && ' · more changes than are taken within a minute: going on in a moment'}
      </p>
    </div>
  )
}

const shownFailures = 20

function Failures({ failed }: Pick<Progress, 'failed'>): ReactNode {
  if (failed.length === 0) return null
  return (
    <div className="mb-4">
      <Notice tone="bad">
        <p className="mb-1 font-medium">{failed.length.toLocaleString('en')} could not be done:</p>
        <ul className="max-h-48 list-disc overflow-y-auto pl-5 wrap-anywhere">
          {failed.slice(0, shownFailures).map(({ row, message }) => (
            <li key={row.id}>
              {row.name}: {message}
            </li>
          ))}
          {failed.length > shownFailures && <li>{failed.length - shownFailures} more</li>}
        </ul>
      </Notice>
    </div>
  )
}

type Running = {
  rows: readonly MonitorRow[]
  work: (row: MonitorRow) => ReturnType<OverviewApi['pause' | 'remove']>
  signal: AbortSignal
}

/** Writes are counted by the minute: whoever is told to wait waits, for two minutes at most. */
const [waitMs, mostWaits] = [5000, 24]

async function runAll({ rows, work, signal }: Running, tell: (progress: Progress) => void): Promise<Progress> {
  let progress: Progress = { done: 0, failed: [], isWaiting: false, isOver: false }
  const say = (next: Partial<Progress>): void => {
    progress = { ...progress, ...next }
    tell(progress)
  }
  say({})
  for (const row of rows) {
    if (signal.aborted) break
    const problem = await patiently(
      () => work(row),
      (isWaiting) => say({ isWaiting }),
      signal,
    )
    say(problem === null ? { done: progress.done + 1 } : { failed: [...progress.failed, { row, message: problem }] })
  }
  say({ isOver: true })
  return progress
}

/** Null once it is done, else why not. */
async function patiently(
  work: () => Promise<unknown>,
  onWaiting: (isWaiting: boolean) => void,
  signal: AbortSignal,
): Promise<string | null> {
  for (let waits = 0; ; waits += 1) {
    try {
      await work()
      return null
    } catch (error) {
      const isLimited = error instanceof ApiError && error.code === 'rate_limited'
      if (!isLimited || waits === mostWaits || signal.aborted) return problemOf(error).message
      onWaiting(true)
      await new Promise((resolve) => {
        setTimeout(resolve, waitMs)
      })
      onWaiting(false)
    }
  }
}
