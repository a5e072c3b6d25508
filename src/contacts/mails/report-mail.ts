import { createHash } from 'node:crypto'
import { oneLine } from '#core/language/one-line.ts'
import { createLocalClock } from '#core/language/local-clock.ts'
import type { ReportContent } from '#core/reports/report-content.ts'
import {
  comparisonWords,
  countWords,
  lengthWords,
  percentWords,
  periodWords,
  verdictWords,
} from '#core/reports/report-words.ts'
import { dayText } from '#contacts/wording/facts.ts'
import type { MailMessage } from '#contacts/message.ts'
import { type MailSection, type ReportMail, reportHtml, reportText } from './report-mail-layout.ts'

export type ReportMailFrame = {
  to: string
  publicUrl: string
  unsubscribeUrl: string
  /** The reader, and the test that it is, if it is one: with the period they name the mail, the same on every try. */
  contactId: string
  test: string | null
}

/** The rest is on the page that the mail leads to. */
const mostMonitors = 50
const mostIncidents = 10
const mostExpiring = 10
const maxSubject = 200

export function reportMail(content: ReportContent, frame: ReportMailFrame): MailMessage {
  const { report, period } = content
  const url = `${frame.publicUrl}/reports/${report.id}/print?period=${period.key}`
  const headline = `${shortName(report.name)}: ${periodWords(period)}`
  const subject = oneLine(`${frame.test === null ? '' : 'Test: '}${headline}, ${subjectFigure(content)}`, maxSubject)
  const mail: ReportMail = {
    tone: content.totals.met === false ? 'bad' : 'good',
    headline,
    lead: [verdictWords(content), comparisonWords(content)].filter((sentence) => sentence !== null).join(' '),
    sections: [figures(content), monitors(content), incidents(content), slowest(content), expiring(content)]
      .concat([findings(content), exposures(content), notes(content)])
      .filter(({ rows, lines }) => rows.length > 0 || lines.length > 0),
    link: { label: 'Open the full report, ready to print', url },
    footer: { text: `This report is sent ${period.type}.`, label: 'Unsubscribe', url: frame.unsubscribeUrl },
  }
  const domain = new URL(frame.publicUrl).hostname
  return {
    via: 'mail',
    to: frame.to,
    subject,
    text: reportText(mail),
    html: reportHtml(mail),
    headers: {
      'Message-ID': `<report-${nameOf(content, frame)}@${domain}>`,
      References: `<report-${report.id}@${domain}>`,
      'List-Unsubscribe': `<${frame.unsubscribeUrl}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      'Auto-Submitted': 'auto-generated',
      Precedence: 'bulk',
    },
  }
}

/** One id for a period and a reader, short enough for any header. */
function nameOf({ report, period }: ReportContent, { contactId, test }: ReportMailFrame): string {
  const named = [report.id, period.key, contactId, test ?? ''].join(' ')
  return createHash('sha256').update(named).digest('hex').slice(0, 40)
}

/** Short enough that fifty of them stay below the 102 kB beyond which some mail programs cut. */
function shortName(name: string): string {
  return oneLine(name, 80)
}

function subjectFigure({ totals: { uptime, met } }: ReportContent): string {
  if (uptime === null) return 'nothing measured'
  return `${percentWords(uptime)}${met === false ? ', objective missed' : ''}`
}

function figures(content: ReportContent): MailSection {
  const { totals, monitor_count: count, missed_count: missed } = content
  const by = missed === 0 ? 'no monitor' : `${missed} of ${countWords(count, 'monitor')}`
  const rows = [
    ['Uptime', percentWords(totals.uptime)],
    ['Objective', `${percentWords(content.objective)}, missed by ${by}`],
    ['Downtime', lengthWords(totals.downtime_seconds)],
    ['Incidents', String(totals.incidents)],
    ['Mean time to acknowledge', meanWords(content.mean_seconds_to_acknowledge)],
    ['Mean time to recover', meanWords(content.mean_seconds_to_recover)],
  ]
  return { title: 'Summary', columns: null, rows: rows.filter(([, value]) => value !== ''), lines: [] }
}

function meanWords(seconds: number | null): string {
  return seconds === null ? '' : lengthWords(seconds)
}

function monitors({ monitors: all, monitor_count: count }: ReportContent): MailSection {
  const shown = all.slice(0, mostMonitors)
  return {
    title: 'Monitors, worst first',
    columns: ['Monitor', 'Uptime', 'Downtime'],
    rows: shown.map(({ name, uptime, met, downtime_seconds: seconds }) => [
      shortName(name),
      `${percentWords(uptime)}${met === false ? ' (missed)' : ''}`,
      lengthWords(seconds),
    ]),
    lines: more(count - shown.length, 'monitor'),
  }
}

function incidents({ incidents: all, totals, period }: ReportContent): MailSection {
  const clock = createLocalClock(period.time_zone)
  const shown = all.slice(0, mostIncidents)
  return {
    title: 'Incidents, longest first',
    columns: ['Monitor', `Started (${period.time_zone})`, 'Duration'],
    rows: shown.map(({ monitor_name: name, cause, started_at: began, downtime_seconds: seconds }) => [
      cause === null ? shortName(name) : `${shortName(name)}: ${oneLine(cause, 120)}`,
      new Date(clock.at(Date.parse(began))).toISOString().slice(0, 16).replace('T', ' '),
      lengthWords(seconds),
    ]),
    lines: totals.incidents === 0 ? ['There were no incidents.'] : more(totals.incidents - shown.length, 'incident'),
  }
}

function slowest({ slowest: all }: ReportContent): MailSection {
  return {
    title: 'Slowest',
    columns: ['Monitor', 'Mean', '95 % within'],
    rows: all.map((one) => [
      shortName(one.name),
      latencyWords(one.latency_ms, one.previous_latency_ms),
      latencyWords(one.p95_ms, one.previous_p95_ms),
    ]),
    lines: [],
  }
}

function latencyWords(now: number | null, before: number | null): string {
  if (now === null) return 'unknown'
  return before === null ? `${now} ms` : `${now} ms (was ${before} ms)`
}

function expiring({ expiring: all, expiring_count: count }: ReportContent): MailSection {
  const shown = all.slice(0, mostExpiring)
  return {
    title: 'Expiring within 30 days',
    columns: ['What', 'Monitor', 'Expires'],
    rows: shown.map(({ subject, name, monitor_name: monitor, expires_at: at }) => [
      `${subject === 'domain' ? 'Domain' : 'Certificate'} ${shortName(name)}`,
      shortName(monitor),
      dayText(at),
    ]),
    lines: more(count - shown.length, 'more', ''),
  }
}

function findings({ findings: of }: ReportContent): MailSection {
  if (of.open === 0) return { title: '', columns: null, rows: [], lines: [] }
  const severities = (['critical', 'high', 'medium', 'low', 'unrated'] as const)
    .filter((severity) => of[severity] > 0)
    .map((severity) => `${of[severity]} ${severity}`)
  return {
    title: 'Vulnerabilities',
    columns: of.newest.length === 0 ? null : ['New', 'Software', 'Monitor'],
    rows: of.newest.map(({ vuln_id: id, severity, software, version, monitor_name: monitor }) => [
      severity === null ? id : `${id} (${severity})`,
      shortName(version === null ? software : `${software} ${version}`),
      shortName(monitor),
    ]),
    lines: [
      `${of.open} open: ${severities.join(', ')}; ${of.exploited} actively exploited. ${of.new} found in this period.`,
    ],
  }
}

function exposures({ exposures: of }: ReportContent): MailSection {
  const { open, closed, proved, median_seconds: median } = of
  const ended =
    median === null
      ? ''
      : ` ${closed} ended in this period, ${proved} of them proved fixed; median ${lengthWords(median)}.`
  const lines = open + closed === 0 ? [] : [`${open} exposed now.${ended}`]
  return { title: 'Known to be exploited', columns: null, rows: [], lines }
}

function notes({ notes: lines }: ReportContent): MailSection {
  return { title: 'Not known', columns: null, rows: [], lines: lines.map((line) => oneLine(line, 1000)) }
}

function more(count: number, one: string, words = 'more '): string[] {
  if (count <= 0) return []
  return [`${count} ${words}${one}${count === 1 || one === 'more' ? '' : 's'} on the page.`]
}
