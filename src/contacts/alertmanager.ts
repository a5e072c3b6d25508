import { z } from 'zod'
import type { Alert } from '#core/contacts/alerting.ts'
import { toPublicAlert } from '#core/contacts/public-alert.ts'
import type { Judgement } from '#core/contacts/delivery-retry.ts'
import { text } from '#core/language/text.ts'
import { type MessageContext, defineHttpKind } from './contact.ts'
import { addressText, belowServer, labelProblem, serverProblem } from './destination.ts'
import { judgeHttp, refusal } from './judge.ts'
import type { HttpAnswer, HttpMessage } from './message.ts'
import { userAgent } from './webhook.ts'
import { type Wording, wordingOf } from '#contacts/wording/wording.ts'

/** Labels that Perigee sets itself. `episode_id` and `slo_id` came later: contacts may have labels of these names, which give way. */
const ownLabels = ['alertname', 'severity', 'contact', 'monitor_id', 'incident_id', 'incident'] as const
const maxLabels = 20

const fields = z.strictObject({
  server: addressText.describe('The address of the Alertmanager, with its path if it has one.'),
  username: z
    .string()
    .regex(/^[^:\p{Cc}]{1,128}$/u, 'Must have 1 to 128 characters without a colon.')
    .optional()
    .describe('For a server that asks for a name and a password.'),
  password: z
    .string()
    .regex(/^\P{Cc}{1,255}$/u, 'Must have 1 to 255 characters.')
    .optional()
    .describe('The password of the user name.'),
  token: z
    .string()
    .regex(/^[!-~]{1,2048}$/, 'Must have 1 to 2,048 visible ASCII characters.')
    .optional()
    .describe('A bearer token, for a server that asks for one instead of a name and a password.'),
  labels: z
    .record(
      z.string().regex(/^(?!__)[A-Za-z_]\w{0,127}$/, 'Must be the name of a label: letters, digits and underscores.'),
      text({ min: 1, max: 255 }),
    )
    .refine((labels) => Object.keys(labels).length <= maxLabels, `Must have at most ${maxLabels} labels.`)
    .refine((labels) => ownLabels.every((name) => !Object.hasOwn(labels, name)), {
      error: `Must not have ${ownLabels.join(', ')}, which Perigee sets.`,
    })
    .optional()
    .describe('More labels for each alert, by which routes can match it.'),
})
type Options = z.infer<typeof fields>

const options = fields
  .refine(({ username, password }) => username === undefined || password !== undefined, {
    path: ['password'],
    error: 'Must be set together with the user name.',
  })
  .refine(({ username, password }) => username !== undefined || password === undefined, {
    path: ['username'],
    error: 'Must be set together with the password.',
  })
  .refine(({ username, token }) => username === undefined || token === undefined, {
    path: ['token'],
    error: 'Must not be set together with a user name.',
  })

/** An Alertmanager of Prometheus, by version 2 of its API (https://prometheus.io/docs/alerting/latest/alerts_api/). */
export const alertmanager = defineHttpKind({
  name: 'alertmanager',
  options,
  secretOptions: ['password', 'token'],
  destinationProblem: labelProblem,
  optionProblems: ({ server }, isForbidden) => {
    const problem = serverProblem(server, isForbidden)
    return problem === null ? {} : { server: problem }
  },
  addressOf: ({ server }) => server,
  message: alertmanagerMessage,
  judge: judgeAlertmanager,
})

export function alertmanagerMessage(alert: Alert, context: MessageContext & { options: Options }): HttpMessage {
  const { server, labels = {} } = context.options
  const wording = wordingOf(alert, context)
  const sent = {
    labels: { ...labels, ...labelsOf(alert, wording.tone), contact: context.destination },
    annotations: annotationsOf(alert, wording),
    ...timesOf(alert, context.sentAt),
    generatorURL: wording.link?.url ?? context.publicUrl,
  }
  return {
    via: 'http',
    url: belowServer(server, '/api/v2/alerts'),
    headers: { 'content-type': 'application/json', 'user-agent': userAgent, ...loginOf(context.options) },
    body: JSON.stringify([sent]),
  }
}

function loginOf({ username, password, token }: Options): Record<string, string> {
  if (token !== undefined) return { authorization: `Bearer ${token}` }
  if (username === undefined) return {}
  return { authorization: `Basic ${Buffer.from(`${username}:${password ?? ''}`).toString('base64')}` }
}

const names: Readonly<Record<Alert['type'], string>> = {
  'monitor.down': 'PerigeeMonitorDown',
  'monitor.up': 'PerigeeMonitorDown',
  'monitor.reminder': 'PerigeeMonitorDown',
  'monitor.degraded': 'PerigeeMonitorDegraded',
  'monitor.degraded_ended': 'PerigeeMonitorDegraded',
  'monitor.slow': 'PerigeeMonitorSlow',
  'monitor.slow_ended': 'PerigeeMonitorSlow',
  'monitor.unstable': 'PerigeeMonitorUnstable',
  'monitor.unstable_ended': 'PerigeeMonitorUnstable',
  'domain.expiring': 'PerigeeDomainExpiring',
  'certificate.expiring': 'PerigeeCertificateExpiring',
  'vulnerability.found': 'PerigeeVulnerabilityFound',
  'end_of_life.reached': 'PerigeeEndOfLifeReached',
  'exposure.reminder': 'PerigeeExposure',
  'exposure.ended': 'PerigeeExposure',
  'slo.burning': 'PerigeeErrorBudget',
  'slo.recovered': 'PerigeeErrorBudget',
  'maintenance.started': 'PerigeeMaintenance',
  'maintenance.ended': 'PerigeeMaintenance',
  test: 'PerigeeTest',
  'alerts.bundle': 'PerigeeAlerts',
}

/**
 * Alertmanager knows an alert by its labels, so a recovery has those of its outage. Name and kind of the monitor may
 * change in between and are therefore no labels; the title of the incident has the name, and stays. With the id of the
 * incident a recovery that comes late cannot end the next outage. The same goes for episodes.
 */
function labelsOf(alert: Alert, tone: Wording['tone']): Record<string, string> {
  const { monitor, incident } = toPublicAlert(alert).data
  return {
    alertname: names[alert.type],
    severity: severityOf(alert, tone),
    ...(monitor === null ? {} : { monitor_id: monitor.id }),
    ...(incident === null ? {} : { incident_id: incident.id, incident: incident.title }),
    ...('episode' in alert.data ? { episode_id: alert.data.episode.id } : {}),
    ...('slo' in alert.data ? { slo_id: alert.data.slo.id } : {}),
  }
}

/** An end has the severity of its beginning. */
function severityOf({ data }: Alert, tone: Wording['tone']): string {
  if (data.incident !== null) return 'critical'
  return 'episode' in data && !('maintenance' in data) ? 'warning' : severities[tone]
}

const severities: Readonly<Record<Wording['tone'], string>> = {
  bad: 'critical',
  warning: 'warning',
  good: 'info',
  plain: 'info',
}

function annotationsOf(
  alert: Alert,
  { headline, lead, facts, acknowledge, runbook = null }: Wording,
): Record<string, string> {
  const { monitor } = toPublicAlert(alert).data
  return {
    summary: headline,
    description: [lead, ...facts.map(({ label, value }) => `${label}: ${value}`)].join('\n'),
    ...(monitor === null ? {} : { monitor_name: monitor.name, monitor_kind: monitor.kind }),
    ...(acknowledge === null ? {} : { acknowledge_url: acknowledge.url }),
    ...(runbook === null ? {} : { runbook_url: runbook.url }),
  }
}

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
/** An alert without an end is resolved after `resolve_timeout`, five minutes, while the outage goes on. */
const longestOutageMs = 365 * dayMs

type Times = { startsAt: string; endsAt: string }

/** Alerts without a recovery are shown for a day. So are episodes: what has been degraded for longer is no news. */
function timesOf(alert: Alert, sentAt: Date): Times {
  const { incident } = alert.data
  const shownUntil = after(sentAt.getTime(), alert.type === 'test' ? 5 * minuteMs : dayMs)
  if ('episode' in alert.data) {
    const { started_at: startsAt, ended_at: endedAt } = alert.data.episode
    // Its end is told in any case, and may come after weeks.
    if ('slo' in alert.data && endedAt === null)
      return { startsAt, endsAt: after(Date.parse(startsAt), longestOutageMs) }
    return endedAt === null ? { startsAt, endsAt: shownUntil } : ended(startsAt, endedAt)
  }
  if (incident === null) return { startsAt: alert.timestamp, endsAt: shownUntil }
  const { started_at: startsAt, resolved_at: resolvedAt } = incident
  if (alert.type !== 'monitor.up') return { startsAt, endsAt: after(Date.parse(startsAt), longestOutageMs) }
  return ended(startsAt, resolvedAt ?? alert.timestamp)
}

/** A clock that was set back would have the end refused. Times of alerts are all written alike, so that texts compare. */
function ended(startsAt: string, endsAt: string): Times {
  return { startsAt, endsAt: endsAt < startsAt ? startsAt : endsAt }
}

function after(ms: number, moreMs: number): string {
  return new Date(ms + moreMs).toISOString()
}

/**
 * Alertmanager refuses by 400 or 422 what it would refuse again. A log-in can be mended, and a path that is wrong (404)
 * as well.
 */
function judgeAlertmanager(answer: HttpAnswer): Judgement {
  if ([400, 413, 422].includes(answer.status)) return { outcome: 'failed', error: refusal(answer), isGone: false }
  return judgeHttp(answer)
}
