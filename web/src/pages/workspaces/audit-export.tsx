import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import type { AuditEntryRecord, WorkspaceApi } from '../../api/console.ts'
import { Button } from '../../parts/button.tsx'
import { csvText } from '../../parts/csv.ts'
import { download } from '../../parts/download.ts'
import { useToast } from '../../parts/overlays/toast.tsx'
import { actionsClass } from '../../parts/page.tsx'
import { useWorkspace } from '../../session/workspace.tsx'
import { type AuditView, queryOf } from './audit-filter.ts'
import { sentenceOf } from './audit-words.ts'

/** A file has so many of the newest entries at most. */
const mostEntries = 20_000
const entriesAtOnce = 200

/** Saves the entries that the page shows, further pages included, as a file. */
export function AuditExport({ view }: { view: AuditView }): ReactNode {
  const { api } = useWorkspace()
  const toast = useToast()
  const [isBusy, setBusy] = useState(false)
  const save = async (format: keyof typeof formats): Promise<void> => {
    setBusy(true)
    try {
      const entries = await readAll(api, view)
      download(`audit-log.${format}`, formats[format](entries))
      if (entries.length === mostEntries)
        toast(t`The file has the newest ${mostEntries} entries. Choose a shorter time.`)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className={actionsClass}>
      <Button isBusy={isBusy} onClick={() => void save('csv')}>
        <Trans>Save as CSV</Trans>
      </Button>
      <Button isBusy={isBusy} onClick={() => void save('json')}>
        <Trans>Save as JSON</Trans>
      </Button>
    </div>
  )
}

async function readAll(api: WorkspaceApi, view: AuditView): Promise<AuditEntryRecord[]> {
  const entries: AuditEntryRecord[] = []
  let cursor: string | null = null
  do {
    const page: Awaited<ReturnType<WorkspaceApi['listAuditEntries']>> = await api.listAuditEntries(queryOf(view), {
      cursor,
      limit: entriesAtOnce,
    })
    entries.push(...page.data)
    cursor = page.next_cursor
  } while (cursor !== null && entries.length < mostEntries)
  return entries.slice(0, mostEntries)
}

const columns = ['time', 'actor_kind', 'actor', 'action', 'target_kind', 'target_id', 'target', 'sentence', 'details']

const formats = {
  csv: (entries: readonly AuditEntryRecord[]) => ({
    type: 'text/csv',
    text: csvText([columns, ...entries.map(cellsOf)]),
  }),
  json: (entries: readonly AuditEntryRecord[]) => ({
    type: 'application/json',
    text: `${JSON.stringify(entries, null, 2)}\n`,
  }),
}

function cellsOf(entry: AuditEntryRecord): string[] {
  const { at, actor, action, target, details } = entry
  const sentence = sentenceOf(entry)
  return [
    at,
    actor.kind,
    actor.name,
    action,
    target.kind,
    target.id ?? '',
    target.name ?? '',
    sentence,
    JSON.stringify(details),
  ]
}
