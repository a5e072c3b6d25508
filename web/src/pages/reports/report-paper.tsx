import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { ReportContent } from '../../api/reports.ts'
import { Fact, Facts } from '../../parts/facts.tsx'
import { ReportExpiring, ReportExposures, ReportFindings, ReportIncidents, ReportSlowest } from './report-tables.tsx'
import { Moment } from './report-moment.tsx'
import { ReportMonitors } from './report-monitors.tsx'
import { lengthText, percentText } from './report-words.ts'

/** Everything that a report says. `styles.css` puts it on paper. */
export function ReportPaper({ content }: { content: ReportContent }): ReactNode {
  const { workspace, period, generated_at: at } = content
  const { time_zone: zone } = period
  return (
    <article
      aria-label={t`Report`}
      className="paper flex flex-col gap-8 rounded-xl border border-line bg-surface p-5 sm:p-8"
    >
      <Summary content={content} />
      <ReportMonitors content={content} />
      <ReportIncidents content={content} />
      <ReportSlowest content={content} />
      <ReportExpiring content={content} />
      <ReportFindings content={content} />
      <ReportExposures content={content} />
      <Notes notes={content.notes} />
      <p className="text-sm text-muted">
        <Trans>
          {workspace}. From <Moment at={period.starts_at} zone={zone} /> to <Moment at={period.ends_at} zone={zone} />,
          created at <Moment at={at} zone={zone} />, all in the time zone {zone}.
        </Trans>
      </p>
    </article>
  )
}

function Summary({ content }: { content: ReportContent }): ReactNode {
  const { totals, objective, missed_count: missed, monitor_count: count } = content
  const { mean_seconds_to_acknowledge: acknowledge, mean_seconds_to_recover: recover } = content
  return (
    <section aria-label={t`Summary`} className="flex flex-col gap-3">
      <p className="text-lg font-semibold">{verdict(content)}</p>
      <Comparison content={content} />
      <Facts>
        <Fact term={t`Uptime`}>{percentText(totals.uptime)}</Fact>
        <Fact term={t`Objective`}>
          {percentText(objective)}, {missedText(missed, count)}
        </Fact>
        <Fact term={t`Downtime`}>{lengthText(totals.downtime_seconds)}</Fact>
        <Fact term={t`Incidents`}>{totals.incidents}</Fact>
        {acknowledge !== null && <Fact term={t`Mean time to acknowledge`}>{lengthText(acknowledge)}</Fact>}
        {recover !== null && <Fact term={t`Mean time to recover`}>{lengthText(recover)}</Fact>}
      </Facts>
    </section>
  )
}

function missedText(missed: number, count: number): string {
  if (missed === 0) return t`missed by no monitor`
  return t`missed by ${missed} of ${plural(count, { one: '# monitor', other: '# monitors' })}`
}

function verdict({ totals, objective, monitor_count: count }: ReportContent): string {
  if (count === 0) return t`This report has no monitors.`
  if (totals.uptime === null) return t`Nothing was measured in this period.`
  const [uptime, wanted] = [percentText(totals.uptime), percentText(objective)]
  return totals.met === true
    ? t`Uptime was ${uptime}: the objective of ${wanted} was met.`
    : t`Uptime was ${uptime}: the objective of ${wanted} was missed.`
}

function Comparison({ content: { totals, previous } }: { content: ReportContent }): ReactNode {
  if (totals.uptime === null || previous.uptime === null) return null
  const before = percentText(previous.uptime)
  const points = Math.round((totals.uptime - previous.uptime) * 1000) / 1000
  const change = percentText(Math.abs(points)).replace(' %', '')
  const incidents = plural(previous.incidents, { one: '# incident', other: '# incidents' })
  return (
    <p>
      {points === 0 && t`The same uptime as in the period before, which had ${incidents}.`}
      {points > 0 && t`${change} percentage points better than in the period before (${before}, ${incidents}).`}
      {points < 0 && t`${change} percentage points worse than in the period before (${before}, ${incidents}).`}
    </p>
  )
}

function Notes({ notes }: { notes: readonly string[] }): ReactNode {
  if (notes.length === 0) return null
  return (
    <section>
      <h2 className="mb-2 font-semibold">{t`Not known`}</h2>
      <ul className="list-disc pl-5 text-sm">
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </section>
  )
}
