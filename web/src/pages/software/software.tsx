import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import type { Finding, MonitorRecord, Vulnerabilities } from '../../api/monitors.ts'
import { Button } from '../../parts/button.tsx'
import { FormDialog } from '../../parts/overlays/dialog.tsx'
import { TextField } from '../../parts/form/field.tsx'
import { Badge, Row, Rows } from '../../parts/list.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Section, linkClass } from '../../parts/page.tsx'
import { problemOf } from '../../parts/problem.ts'
import { useShown } from '../../parts/shown.tsx'
import { Ago, Time } from '../../parts/time.tsx'
import { useToast } from '../../parts/overlays/toast.tsx'
import { useChanged, useRead } from '../../session/workspace.tsx'
import { Exposures } from './exposures.tsx'
import { Severity } from './severity.tsx'
import { ComparedWith, isAwaited, NotCompared, NothingFound } from './software-compared.tsx'
import { findingsKey } from './software-key.ts'
import { SoftwareList } from './software-list.tsx'
import { useMayWrite, useMonitors } from '../../session/use-monitors.ts'

const readAgainMs = 10_000

/** The software of a target, and its known vulnerabilities. */
export function SoftwareTab({ monitor }: { monitor: MonitorRecord }): ReactNode {
  const monitors = useMonitors()
  const { data: report } = useRead(findingsKey(monitor.id), {
    read: () => monitors.readFindings(monitor.id),
    everyMs: readAgainMs,
  })
  const mayWrite = useMayWrite()
  if (!report.available)
    return (
      <Notice>
        <Trans>The plan of this workspace does not include vulnerability alerts.</Trans>
      </Notice>
    )
  if (!report.enabled)
    return (
      <Notice>
        <Trans>
          Its software is not followed: turn on “Look for software with known vulnerabilities” under Change.
        </Trans>
      </Notice>
    )
  return (
    <>
      <Exposures monitor={monitor} mayWrite={mayWrite} />
      <Section
        title={t`Findings`}
        lead={<Scanned report={report} />}
        action={mayWrite && <Scan monitor={monitor} report={report} />}
      >
        <NotCompared report={report} />
        <ComparedWith report={report} />
        {report.findings.length === 0 ? (
          <NothingFound report={report} />
        ) : (
          <Findings monitor={monitor} findings={report.findings} mayWrite={mayWrite} />
        )}
      </Section>
      <SoftwareList monitor={monitor} software={report.software} mayWrite={mayWrite} />
    </>
  )
}

function Scanned({ report }: { report: Vulnerabilities }): ReactNode {
  const { scanned_at: at, scan_error: error } = report
  if (isScanning(report)) return t`A scan is under way.`
  return (
    <>
      {at === null ? (
        t`Not scanned yet.`
      ) : (
        <Trans>
          Scanned <Ago at={at} />.
        </Trans>
      )}
      {error !== null && ` ${error}`}
    </>
  )
}

/** Feeds that are read for the first time, and entries that are being compared, keep nobody from a scan. */
function isScanning(report: Vulnerabilities): boolean {
  return report.pending && !isAwaited(report) && report.entries_to_compare === 0
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
    <Button isBusy={isScanning(report)} onClick={() => void scan()}>
      <Trans>Scan now</Trans>
    </Button>
  )
}

type FindingsProps = { monitor: MonitorRecord; findings: readonly Finding[]; mayWrite: boolean }

function Findings({ monitor, findings, mayWrite }: FindingsProps): ReactNode {
  const [fixed, setFixed] = useState<Finding | null>(null)
  const { shown, more } = useShown(findings)
  return (
    <>
      <Rows label={t`Findings`}>
        {shown.map((finding) => (
          <Row
            key={finding.id}
            title={<FindingTitle finding={finding} />}
            details={<FindingDetails finding={finding} />}
            action={mayWrite && <MarkButton finding={finding} onClick={() => setFixed(finding)} />}
            isWordy
          />
        ))}
      </Rows>
      {more}
      {fixed !== null && <MarkFixed monitor={monitor} finding={fixed} onClose={() => setFixed(null)} />}
    </>
  )
}

function MarkButton({ finding: { vuln_id: id }, onClick }: { finding: Finding; onClick: () => void }): ReactNode {
  return (
    <Button aria-label={t`Mark as fixed: ${id}`} onClick={onClick}>
      <Trans>Mark as fixed</Trans>
    </Button>
  )
}

function FindingTitle({ finding }: { finding: Finding }): ReactNode {
  const { severity, score, vuln_id: id, url, exploited_on: exploited } = finding
  return (
    <>
      <Severity of={severity} score={score} />
      {url === null ? (
        id
      ) : (
        <a href={url} target="_blank" rel="noreferrer" className={linkClass}>
          {id}
        </a>
      )}
      {exploited !== null && (
        <Badge>
          <Trans>Exploited</Trans>
        </Badge>
      )}
    </>
  )
}

function FindingDetails({ finding }: { finding: Finding }): ReactNode {
  const { software_name: name, version, version_known: isKnown, fix_version: fix, published_at: at, summary } = finding
  const { marked_fixed_version: marked } = finding
  const words = [
    version ?? t`(version unknown)`,
    isKnown ? null : t`may apply`,
    fix === null ? t`no fix is known` : t`fixed in ${fix}`,
    marked === null ? null : t`marked fixed with ${marked}, still affected`,
  ].filter((word) => word !== null)
  return (
    <>
      {summary !== null && <span className="block text-text">{summary}</span>}
      {name} {words.join(' · ')}
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
  const { vuln_id: vulnerability, software_name: name } = finding
  const submit = async (version: string): Promise<void> => {
    await monitors.markFixed(monitor.id, finding.id, version)
    await changed(findingsKey(monitor.id))
    onClose()
  }
  return (
    <FormDialog
      title={t`Is ${vulnerability} fixed?`}
      submit={t`Mark as fixed`}
      onSubmit={(value) => submit(value('version').trim())}
      onClose={onClose}
    >
      <TextField
        name="version"
        label={t`Version of ${name} now`}
        defaultValue={finding.fix_version ?? ''}
        autoComplete="off"
        hint={t`It is checked again with this version.`}
      />
    </FormDialog>
  )
}
