import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { ReportRecord } from '../../api/reports.ts'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { DeleteDialog } from '../../parts/overlays/dialog.tsx'
import { Badge, Empty, Row, Rows } from '../../parts/list.tsx'
import { PageHead, Section } from '../../parts/page.tsx'
import { Time } from '../../parts/time.tsx'
import { useToast } from '../../parts/overlays/toast.tsx'
import { useMayWrite } from '../../session/use-monitors.ts'
import { useChanged } from '../../session/workspace.tsx'
import { reachText, rhythmText } from './report-words.ts'
import { reportsKey, useReports, useReportsApi } from './use-reports.ts'

export function ReportsPage(): ReactNode {
  const reports = useReports()
  const mayWrite = useMayWrite()
  const [asked, setAsked] = useState<ReportRecord | null>(null)
  const make = (
    <ButtonLink to="/reports/new" look="primary">
      <Trans>New report</Trans>
    </ButtonLink>
  )
  return (
    <>
      <PageHead
        title={t`Reports`}
        lead={t`A week or a month in figures: uptime against an objective, incidents, and what expires soon.`}
        action={mayWrite && make}
      />
      <Section title={t`Weekly and monthly`}>
        {reports.length === 0 && <Empty>{t`None yet. A report is mailed, and you can read and print it here.`}</Empty>}
        <Rows label={t`Reports`}>
          {reports.map((report) => (
            <ReportRow key={report.id} report={report} onDelete={mayWrite ? setAsked : null} />
          ))}
        </Rows>
      </Section>
      {asked !== null && <Delete report={asked} onClose={() => setAsked(null)} />}
    </>
  )
}

type RowProps = { report: ReportRecord; onDelete: ((report: ReportRecord) => void) | null }

function ReportRow({ report, onDelete }: RowProps): ReactNode {
  const { id, name, next_at: next, recipients } = report
  const readers = plural(recipients.length, { one: '# recipient', other: '# recipients' })
  return (
    <Row
      title={
        <>
          <Link to="/reports/$id/print" params={{ id }} className="hover:underline">
            {name}
          </Link>
          {next === null && (
            <Badge>
              <Trans>off</Trans>
            </Badge>
          )}
        </>
      }
      details={
        <>
          <span className="block">{rhythmText(report)}</span>
          {reachText(report)} · {readers}
          {next !== null && (
            <>
              {' · '}
              <Trans>
                next <Time at={next} />
              </Trans>
            </>
          )}
        </>
      }
      action={
        onDelete !== null && (
          <>
            <Link to="/reports/$id" params={{ id }} aria-label={t`Change ${name}`} className={changeClass}>
              <Trans>Change</Trans>
            </Link>
            <Button look="danger" aria-label={t`Delete ${name}`} onClick={() => onDelete(report)}>
              <Trans>Delete</Trans>
            </Button>
          </>
        )
      }
    />
  )
}

const changeClass =
  'inline-flex min-h-9 items-center rounded-lg border border-edge/60 bg-surface px-3.5 py-1.5 text-sm font-medium hover:bg-sunken'

function Delete({ report: { id, name }, onClose }: { report: ReportRecord; onClose: () => void }): ReactNode {
  const api = useReportsApi()
  const changed = useChanged()
  const toast = useToast()
  const submit = async (): Promise<void> => {
    await api.remove(id)
    await changed(reportsKey)
    toast(t`${name} is deleted.`)
    onClose()
  }
  return (
    <DeleteDialog title={t`Delete ${name}?`} onSubmit={submit} onClose={onClose}>
      <p className="text-muted">
        <Trans>It is no longer sent. The history behind it stays.</Trans>
      </p>
    </DeleteDialog>
  )
}
