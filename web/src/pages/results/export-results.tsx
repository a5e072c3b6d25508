import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, useRef, useState } from 'react'
import type { MonitorRecord, ResultsPage } from '../../api/monitors.ts'
import { Button } from '../../parts/button.tsx'
import { downloadParts } from '../../parts/download.ts'
import { numberText } from '../../parts/language.ts'
import { problemOf } from '../../parts/problem.ts'
import { actionsClass } from '../../parts/page.tsx'
import { useMonitors } from '../../session/use-monitors.ts'
import type { MonitorSearch } from './chart-range.ts'
import { type ExportForm, exportForms, mostExported, readForExport } from './export-text.ts'

type ExportProps = {
  monitor: MonitorRecord
  filter: Pick<MonitorSearch, 'status' | 'location' | 'since' | 'until'>
}

/** Saves the results that the filter leaves as a file. They are read page by page, and written as they come. */
export function ExportResults({ monitor: { id, name }, filter }: ExportProps): ReactNode {
  const monitors = useMonitors()
  const [said, setSaid] = useState('')
  const [busy, setBusy] = useState<ExportForm | null>(null)
  const running = useRef(false)
  const read = (limit: number, cursor: string): Promise<ResultsPage> =>
    monitors.pageResults(id, { ...filter, limit }, cursor)
  const save = async (form: ExportForm): Promise<void> => {
    if (running.current) return
    running.current = true
    setBusy(form)
    try {
      const { parts, count, isCut } = await readForExport(read, { form, onCount: (sofar) => setSaid(countText(sofar)) })
      downloadParts(`${fileName(name)}.${form}`, { type: exportForms[form].type, parts })
      setSaid(
        isCut
          ? t`Only the newest ${numberText(mostExported)} were saved. Choose a shorter time for the rest.`
          : countText(count),
      )
    } catch (error) {
      setSaid(problemOf(error).message)
    } finally {
      running.current = false
      setBusy(null)
    }
  }
  return (
    <div className={`${actionsClass} items-center`}>
      <Button isBusy={busy === 'csv'} onClick={() => void save('csv')}>
        <Trans>Export as CSV</Trans>
      </Button>
      <Button isBusy={busy === 'json'} onClick={() => void save('json')}>
        <Trans>Export as JSON</Trans>
      </Button>
      <p role="status" className="basis-full text-sm text-muted empty:hidden">
        {said}
      </p>
    </div>
  )
}

function countText(count: number): string {
  const results = numberText(count)
  return t`${results} results`
}

/** Of the monitor's name, what every system takes in the name of a file. */
function fileName(name: string): string {
  const plain = name.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-+|-+$/g, '')
  return plain === '' ? 'results' : `${plain.slice(0, 60)}-results`
}
