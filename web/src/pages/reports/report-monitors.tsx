import { plural, t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import type { ReportContent } from '../../api/reports.ts'
import { Cell, type Column, Table } from '../../parts/table.tsx'
import { lengthText, percentText, usedShare } from './report-words.ts'

/** Every monitor of a report, the worst first. */
export function ReportMonitors({ content }: { content: ReportContent }): ReactNode {
  const { monitors, monitor_count: count, objective } = content
  const more = count - monitors.length
  if (monitors.length === 0) return null
  return (
    <section>
      <h2 className="mb-2 font-semibold">{t`Monitors, the worst first`}</h2>
      <Table label={t`Monitors`} columns={columns()}>
        {monitors.map(({ id, name, uptime, met, previous_uptime: before, downtime_seconds: seconds, incidents }) => (
          <tr key={id}>
            <Cell>{name}</Cell>
            <Cell align="right">
              {percentText(uptime)}
              {met === false && (
                <span className="block text-xs text-bad">{t({ message: 'missed', context: 'objective' })}</span>
              )}
            </Cell>
            <Cell align="right" isExtra>
              <Used share={usedShare(uptime, objective)} />
            </Cell>
            <Cell align="right" isExtra>
              {percentText(before)}
            </Cell>
            <Cell align="right">{lengthText(seconds)}</Cell>
            <Cell align="right" isExtra>
              {incidents}
            </Cell>
          </tr>
        ))}
      </Table>
      {more > 0 && (
        <p className="mt-2 text-sm text-muted">{plural(more, { one: '# more monitor', other: '# more monitors' })}</p>
      )}
    </section>
  )
}

function columns(): readonly Column[] {
  return [
    { title: t`Monitor` },
    { title: t`Uptime`, align: 'right' },
    { title: t`Allowed downtime used`, align: 'right', isExtra: true },
    { title: t`Before`, align: 'right', isExtra: true },
    { title: t`Downtime`, align: 'right' },
    { title: t`Incidents`, align: 'right', isExtra: true },
  ]
}

/** A drawn bar, which printers keep; backgrounds they leave out. */
function Used({ share }: { share: number | null }): ReactNode {
  if (share === null) return '–'
  const percent = share > 10 ? t`over 1,000 %` : percentText(Math.round(share * 100))
  return (
    <span className="inline-flex items-center justify-end gap-2">
      {percent}
      <svg viewBox="0 0 60 8" aria-hidden="true" className="h-2 w-15 shrink-0">
        <rect x="0.5" y="0.5" width="59" height="7" fill="none" className="stroke-edge" />
        <rect
          x="0"
          y="0"
          width={60 * Math.min(1, share)}
          height="8"
          className={share > 1 ? 'fill-bad-fill' : 'fill-good-bar'}
        />
      </svg>
    </span>
  )
}
