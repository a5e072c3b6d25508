import { type ReactNode, useState } from 'react'
import type { Finding, MonitorRecord, Vulnerabilities } from '../../api/monitors.ts'
import { Button } from '../../parts/button.tsx'
import { FormDialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/field.tsx'
import { Badge, Empty, Row, Rows } from '../../parts/list.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Section, linkClass } from '../../parts/page.tsx'
import { problemOf } from '../../parts/problem.ts'
import { useShown } from '../../parts/shown.tsx'
import { Ago, Time } from '../../parts/time.tsx'
import { useToast } from '../../parts/toast.tsx'
import { useChanged, useRead } from '../../workspace.tsx'
import { findingsKey } from './software-key.ts'
import { SoftwareList } from './software-list.tsx'
import { useMayWrite, useMonitors } from './use-monitors.ts'

const readAgainMs = 10_000

/** What a target runs, and what is known to be wrong with it. */
export function SoftwareTab({ monitor }: { monitor: MonitorRecord }): ReactNode {
  const monitors = useMonitors()
  const { data: report } = useRead(findingsKey(monitor.id), {
    read: () => monitors.readFindings(monitor.id),
    everyMs: readAgainMs,
  })
  const mayWrite = useMayWrite()
  if (!report.available) return <Notice>The plan of this workspace does not include vulnerability alerts.</Notice>
  if (!report.enabled)
    return (
      <Notice>
        Its software is not followed: turn on “Look for software with known vulnerabilities” under Change.
      </Notice>
    )
  return (
    <>
      <Section
        title="Findings"
        lead={<Scanned report={report} />}
        action={mayWrite && <Scan monitor={monitor} report={report} />}
      >
        <Findings monitor={monitor} findings={report.findings} mayWrite={mayWrite} />
      </Section>
      <SoftwareList monitor={monitor} software={report.software} mayWrite={mayWrite} />
    </>
  )
}

function Scanned({ report }: { report: Vulnerabilities }): ReactNode {
  const { scanned_at: at, scan_error: error, pending } = report
  if (pending) return 'A scan is under way.'
  return (
    <>
      {at === null ? (
        'Not scanned yet.'
      ) : (
        <>
          Scanned <Ago at={at} />.
        </>
      )}
      {error !== null && ` ${error}`}
    </>
  )
}

function Scan({ monitor: { id }, report }: { monitor: MonitorRecord; report: Vulnerabilities }): ReactNode {
  const monitors = useMonitors()
  const changed = useChanged()
  const toast = useToast()
  const scan = async (): Promise<void> => {
    try {
      await monitors.scan(id)
      await changed(findingsKey(id))
    } catch (error) {
      toast(problemOf(error).message)
    }
  }
  return (
    <Button isBusy={report.pending} onClick={() => void scan()}>
      Scan now
    </Button>
  )
}

type FindingsProps = { monitor: MonitorRecord; findings: readonly Finding[]; mayWrite: boolean }

function Findings({ monitor, findings, mayWrite }: FindingsProps): ReactNode {
  const [fixed, setFixed] = useState<Finding | null>(null)
  const { shown, more } = useShown(findings)
  if (findings.length === 0) return <Empty>Nothing is known to be wrong with it.</Empty>
  return (
    <>
      <Rows label="Findings">
        {shown.map((finding) => (
          <Row
            key={finding.id}
            title={<FindingTitle finding={finding} />}
            details={<FindingDetails finding={finding} />}
            action={
              mayWrite && (
                <Button aria-label={`Mark as fixed: ${finding.vuln_id}`} onClick={() => setFixed(finding)}>
                  Mark as fixed
                </Button>
              )
            }
          />
        ))}
      </Rows>
      {more}
      {fixed !== null && <MarkFixed monitor={monitor} finding={fixed} onClose={() => setFixed(null)} />}
    </>
  )
}

const severityClasses: Readonly<Record<string, string>> = {
  critical: 'bg-bad-soft text-bad',
  high: 'bg-bad-soft text-bad',
  medium: 'bg-warn-soft text-warn',
  low: 'bg-sunken text-muted',
}

function FindingTitle({ finding }: { finding: Finding }): ReactNode {
  const { severity, score, vuln_id: id, url, exploited_on: exploited } = finding
  return (
    <>
      {severity !== null && (
        <span className={`mr-2 rounded-md px-1.5 py-0.5 text-xs font-medium ${severityClasses[severity] ?? ''}`}>
          {severity}
          {score !== null && ` ${score}`}
        </span>
      )}
      {url === null ? (
        id
      ) : (
        <a href={url} target="_blank" rel="noreferrer" className={linkClass}>
          {id}
        </a>
      )}
      {exploited !== null && <Badge>Exploited</Badge>}
    </>
  )
}

function FindingDetails({ finding }: { finding: Finding }): ReactNode {
  const { software_name: name, version, version_known: isKnown, fix_version: fix, published_at: at, summary } = finding
  return (
    <>
      {summary !== null && <span className="block text-text">{summary}</span>}
      {name} {version ?? '(version unknown)'}
      {!isKnown && ' · may apply'}
      {fix === null ? ' · no fix is known' : ` · fixed in ${fix}`}
      {finding.marked_fixed_version !== null && ` · marked fixed with ${finding.marked_fixed_version}, still affected`}
      {at !== null && (
        <>
          {' · '}
          <Time at={at} by="day" />
        </>
      )}
    </>
  )
}

type MarkProps = { monitor: MonitorRecord; finding: Finding; onClose: () => void }

function MarkFixed({ monitor, finding, onClose }: MarkProps): ReactNode {
  const monitors = useMonitors()
  const changed = useChanged()
  const submit = async (version: string): Promise<void> => {
    await monitors.markFixed(monitor.id, finding.id, version)
    await changed(findingsKey(monitor.id))
    onClose()
  }
  return (
    <FormDialog
      title={`${finding.vuln_id} is fixed?`}
      submit="Mark as fixed"
      onSubmit={(value) => submit(value('version').trim())}
      onClose={onClose}
    >
      <TextField
        name="version"
        label={`Version of ${finding.software_name} now`}
        defaultValue={finding.fix_version ?? ''}
        autoComplete="off"
        hint="It is checked again with this version."
      />
    </FormDialog>
  )
}
