import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, useRef, useState } from 'react'
import { type MonitorAction, overviewApi } from '../../api/overview.ts'
import { Button } from '../../parts/button.tsx'
import { numberText } from '../../parts/language.ts'
import { Dialog } from '../../parts/overlays/dialog.tsx'
import { useToast } from '../../parts/overlays/toast.tsx'
import { useWorkspace } from '../../session/workspace.tsx'
import { type Progress, runAll } from './monitors-bulk-run.ts'
import { bulkWords, changeWords } from './monitors-bulk-words.ts'
import { MonitorsChange } from './monitors-change.tsx'
import { More, ProgressDialog } from './monitors-progress.tsx'
import type { MonitorRow } from './monitors-rows.ts'

type BulkProps = {
  chosen: readonly MonitorRow[]
  onSelect: (selected: ReadonlySet<string>) => void
  onChange: () => Promise<void>
}

/** Actions on all selected monitors. A run goes on when they have left the list. */
export function MonitorsBulk({ chosen, onSelect, onChange }: BulkProps): ReactNode {
  const [asked, setAsked] = useState<Asked | null>(null)
  const ends = {
    onClose: (left: readonly string[]) => {
      setAsked(null)
      onSelect(new Set(left))
      void onChange()
    },
    onCancel: () => setAsked(null),
  }
  return (
    <>
      {chosen.length > 0 && <Bar chosen={chosen} onAsk={setAsked} onClear={() => onSelect(new Set())} />}
      {asked?.action === 'update' && <MonitorsChange rows={asked.rows} {...ends} />}
      {asked !== null && asked.action !== 'update' && <Doing action={asked.action} rows={asked.rows} {...ends} />}
    </>
  )
}

type Asked = { action: MonitorAction | 'update'; rows: readonly MonitorRow[] }
type BarProps = { chosen: readonly MonitorRow[]; onAsk: (asked: Asked) => void; onClear: () => void }

function Bar({ chosen, onAsk, onClear }: BarProps): ReactNode {
  const count = numberText(chosen.length)
  const running = chosen.filter(({ state }) => state !== 'paused')
  const paused = chosen.filter(({ state }) => state === 'paused')
  const ask = (action: Asked['action'], rows: readonly MonitorRow[]): ReactNode => (
    <Button look={action === 'delete' ? 'danger' : 'secondary'} onClick={() => onAsk({ action, rows })}>
      {(action === 'update' ? changeWords : bulkWords[action]).some(numberText(rows.length))}
    </Button>
  )
  return (
    <div
      role="group"
      aria-label={t`Selected monitors`}
      className="sticky top-2 z-20 mb-3 flex flex-wrap items-center gap-2 rounded-xl border border-accent-text bg-surface px-4 py-2 shadow-lg"
    >
      <span role="status" className="grow text-sm font-medium">
        <Trans context="monitors">{count} selected</Trans>
      </span>
      {running.length > 0 && ask('pause', running)}
      {paused.length > 0 && ask('resume', paused)}
      {ask('update', chosen)}
      {ask('delete', chosen)}
      <Button look="quiet" onClick={onClear}>
        <Trans context="what is selected">Clear</Trans>
      </Button>
    </div>
  )
}

type DoingProps = {
  action: MonitorAction
  rows: readonly MonitorRow[]
  /** `left` are those with which it was not done. */
  onClose: (left: readonly string[]) => void
  onCancel: () => void
}

/** Asks once more, goes on some hundreds at a time, and says what could not be done and why. */
function Doing({ action, rows, onClose, onCancel }: DoingProps): ReactNode {
  const { workspace } = useWorkspace()
  const toast = useToast()
  const [progress, setProgress] = useState<Progress | null>(null)
  const stopping = useRef(new AbortController())
  const words = bulkWords[action]
  const begin = async (): Promise<void> => {
    const { act } = overviewApi(workspace.id)
    const { signal } = stopping.current
    const end = await runAll({ rows, act: (ids) => act(action, ids), signal }, setProgress)
    if (end.done < rows.length) return
    toast(words.done(rows.length))
    onClose([])
  }
  if (progress === null)
    return (
      <Dialog title={words.ask(rows.length)} onClose={onCancel}>
        <Names rows={rows} />
        <p className="mb-5 text-sm text-muted">{i18n._(words.says)}</p>
        <div className="flex gap-2">
          <Button look={action === 'delete' ? 'danger' : 'primary'} onClick={() => void begin()}>
            {words.many(rows.length)}
          </Button>
          <Button onClick={onCancel}>
            <Trans>Cancel</Trans>
          </Button>
        </div>
      </Dialog>
    )
  return <ProgressDialog {...{ rows, progress, words, onClose }} onStop={() => stopping.current.abort()} />
}

const namedRows = 5

function Names({ rows }: { rows: readonly MonitorRow[] }): ReactNode {
  const others = rows.length - namedRows
  return (
    <ul className="mb-3 list-disc pl-5 text-sm wrap-anywhere">
      {rows.slice(0, namedRows).map(({ id, name }) => (
        <li key={id}>{name}</li>
      ))}
      {others > 0 && <More count={others} />}
    </ul>
  )
}
