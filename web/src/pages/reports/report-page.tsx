import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link, useParams, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { ReportContent, ReportRecord } from '../../api/reports.ts'
import { Button } from '../../parts/button.tsx'
import { Notice } from '../../parts/notice.tsx'
import { PageHead, linkClass } from '../../parts/page.tsx'
import { problemOf } from '../../parts/problem.ts'
import { useToast } from '../../parts/overlays/toast.tsx'
import { useMayWrite } from '../../session/use-monitors.ts'
import { useRead, useWorkspace } from '../../session/workspace.tsx'
import { ReportPaper } from './report-paper.tsx'
import { periodText } from './report-words.ts'
import { useReports, useReportsApi } from './use-reports.ts'

/** What a report says of a period, as it goes on paper. */
export function ReportPage(): ReactNode {
  const { id } = useParams({ from: '/inside/shell/reports/$id/print' })
  const { name: workspace } = useWorkspace().workspace
  const report = useReports().find((each) => each.id === id)
  if (report !== undefined) return <Found report={report} />
  return (
    <>
      <Back />
      <PageHead title={t`There is no such report`} />
      <Notice>
        <Trans>It is not in {workspace}, or it was deleted.</Trans>
      </Notice>
    </>
  )
}

function Found({ report }: { report: ReportRecord }): ReactNode {
  const { period } = useSearch({ from: '/inside/shell/reports/$id/print' })
  const api = useReportsApi()
  // A report that was changed says something else of the same period.
  const key = `report ${JSON.stringify(report)} ${period ?? ''}`
  const { data: content } = useRead(key, { read: () => api.read(report.id, period) })
  return (
    <>
      <Back />
      <PageHead title={report.name} lead={periodText(content.period)} action={<Actions report={report} />} />
      <Periods of={content} />
      <ReportPaper content={content} />
    </>
  )
}

function Back(): ReactNode {
  return (
    <p className="mb-4 text-sm print:hidden">
      <Link to="/reports" className={linkClass}>
        <Trans>All reports</Trans>
      </Link>
    </p>
  )
}

function Actions({ report: { id, recipients } }: { report: ReportRecord }): ReactNode {
  const api = useReportsApi()
  const toast = useToast()
  const mayWrite = useMayWrite()
  const send = async (): Promise<void> => {
    try {
      await api.send(id)
      toast(t`It is on its way to all recipients.`)
    } catch (error) {
      toast(problemOf(error).message)
    }
  }
  return (
    <div className="flex flex-wrap gap-2 print:hidden">
      <Button look="primary" onClick={() => print()}>
        <Trans>Print</Trans>
      </Button>
      {mayWrite && recipients.length > 0 && (
        <Button onClick={() => void send()}>
          <Trans>Send a test</Trans>
        </Button>
      )}
    </div>
  )
}

/** The periods before and after this one. */
function Periods({ of: { report, period } }: { of: ReportContent }): ReactNode {
  const { previous_key: previous, next_key: next } = period
  const to = { to: '/reports/$id/print', params: { id: report.id }, className: linkClass } as const
  return (
    <nav aria-label={t`Periods`} className="mb-4 flex gap-4 text-sm print:hidden">
      <Link {...to} search={{ period: previous }}>
        <Trans>The period before</Trans>
      </Link>
      {next !== null && (
        <Link {...to} search={{ period: next }}>
          <Trans>The period after</Trans>
        </Link>
      )}
    </nav>
  )
}
