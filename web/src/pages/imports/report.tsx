import { plural, t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import type { ImportReport } from '../../api/imports.ts'
import { Arrival } from '../../parts/arrival.tsx'
import { Button } from '../../parts/button.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Section } from '../../parts/page.tsx'
import { problemOf } from '../../parts/problem.ts'
import type { ReadFile } from './choose-file.tsx'
import { Arriving, OthersArriving } from './report-tables.tsx'
import { sourceName } from './sources.ts'
import { type Trials, useTrials } from './use-trials.ts'
import { useImportsApi } from './use-imports.ts'

type ReportProps = { read: ReadFile; onStarted: (id: string) => void; onOther: () => void }

/** What of a file arrives, before anything is made. */
export function Report({ read: { chosen, report }, onStarted, onOther }: ReportProps): ReactNode {
  const trials = useTrials(report.checks)
  const name = chosen.file.name
  const source = sourceName(report.source)
  return (
    <Arrival>
      <Section title={t`What is imported from ${name}`} lead={t`${source}. Nothing is created yet.`}>
        <div className="flex flex-col gap-6">
          <Counts report={report} />
          <Arriving report={report} trials={trials} />
          <OthersArriving report={report} />
          <Buttons {...{ chosen, report, trials, onStarted, onOther }} />
        </div>
      </Section>
      <Notes
        title={t`Works differently in Perigee`}
        lead={t`It is imported, but not exactly as it was.`}
        notes={report.changed}
      />
      <Notes title={t`Cannot be imported`} lead={t`Perigee has no equivalent for it.`} notes={report.lost} />
    </Arrival>
  )
}

function Counts({ report }: { report: ImportReport }): ReactNode {
  const { monitors, contacts, status_pages: pages, maintenance, present } = report
  const counts: [count: number, text: string][] = [
    [monitors.length, plural(monitors.length, { one: '# monitor', other: '# monitors' })],
    [contacts.length, plural(contacts.length, { one: '# contact', other: '# contacts' })],
    [pages.length, plural(pages.length, { one: '# status page', other: '# status pages' })],
    [maintenance.length, plural(maintenance.length, { one: '# maintenance window', other: '# maintenance windows' })],
  ]
  const parts = counts.flatMap(([count, text]) => (count === 0 ? [] : [text]))
  return (
    <div className="flex flex-col gap-1">
      <p className="font-medium">{parts.join(' · ')}</p>
      {present.length > 0 && (
        <p className="text-sm text-muted">
          <Plural
            value={present.length}
            one="# of them is in the workspace already. It stays as it is."
            other="# of them are in the workspace already. They stay as they are."
          />
        </p>
      )}
    </div>
  )
}

type ButtonsProps = Omit<ReportProps, 'read'> & ReadFile & { trials: Trials }

function Buttons({ chosen, report, trials, onStarted, onOther }: ButtonsProps): ReactNode {
  const api = useImportsApi()
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const begin = async (): Promise<void> => {
    trials.stop()
    setBusy(true)
    setProblem(null)
    try {
      onStarted((await api.start(chosen)).id)
    } catch (error) {
      const { message, fields } = problemOf(error)
      setProblem(Object.values(fields).flat()[0] ?? message)
      setBusy(false)
    }
  }
  const { arriving, isNew } = newIn(report)
  return (
    <div className="flex flex-col gap-3">
      {problem !== null && <Notice tone="bad">{problem}</Notice>}
      {!isNew && (
        <Notice tone="warn">
          <Trans>The workspace already has everything in it.</Trans>
        </Notice>
      )}
      <div className="flex flex-wrap gap-2">
        {isNew && (
          <Button look="primary" isBusy={isBusy} onClick={() => void begin()}>
            {arriving === 0 ? (
              <Trans>Import it</Trans>
            ) : (
              <Plural value={arriving} one="Import # monitor" other="Import # monitors" />
            )}
          </Button>
        )}
        <TryButton count={report.checks.length} trials={trials} />
        <Button look="quiet" onClick={onOther}>
          <Trans>Another file</Trans>
        </Button>
      </div>
      <TrialsStanding count={report.checks.length} trials={trials} />
    </div>
  )
}

function newIn({ monitors, contacts, status_pages: pages, maintenance, present }: ImportReport) {
  const all = monitors.length + contacts.length + pages.length + maintenance.length
  const arriving = monitors.length - present.filter(({ section }) => section === 'monitors').length
  return { arriving, isNew: all > present.length }
}

function TryButton({ count, trials }: { count: number; trials: Trials }): ReactNode {
  if (trials.isRunning)
    return (
      <Button onClick={trials.stop}>
        <Trans>Stop trying</Trans>
      </Button>
    )
  const left = count - trials.found.size
  if (left === 0) return null
  return (
    <Button onClick={() => void trials.start()}>
      <Plural value={left} one="Try # check first" other="Try # checks first" />
    </Button>
  )
}

function TrialsStanding({
  count,
  trials: { found, isRunning, isWaiting },
}: {
  count: number
  trials: Trials
}): ReactNode {
  if (!isRunning && found.size === 0) return null
  const down = [...found.values()].filter(({ status }) => status === 'down').length
  const tried = found.size
  return (
    <p role="status" className="text-sm text-muted tabular-nums">
      {isWaiting ? (
        <Trans>
          {tried} of {count} tried · more checks than a minute allows: continuing in a moment
        </Trans>
      ) : (
        <Trans>
          {tried} of {count} tried, {down} down.
        </Trans>
      )}
    </p>
  )
}

type NotesProps = { title: string; lead: string; notes: ImportReport['lost'] }

/** At first: some files have many. */
const shownNotes = 30

function Notes({ title, lead, notes }: NotesProps): ReactNode {
  const [isWhole, setWhole] = useState(false)
  if (notes.length === 0) return null
  const shown = isWhole ? notes : notes.slice(0, shownNotes)
  const more = notes.length - shown.length
  return (
    <Section title={title} lead={lead}>
      <ul aria-label={title} className="flex flex-col gap-3 text-sm">
        {shown.map(({ place, message }) => (
          <li key={`${place} ${message}`} className="flex flex-col gap-0.5">
            <span className="wrap-anywhere">{message}</span>
            <code className="text-xs wrap-anywhere text-muted">{place}</code>
          </li>
        ))}
      </ul>
      {more > 0 && (
        <div className="mt-4">
          <Button onClick={() => setWhole(true)}>
            <Plural value={more} one="Show # more" other="Show # more" />
          </Button>
        </div>
      )}
    </Section>
  )
}
