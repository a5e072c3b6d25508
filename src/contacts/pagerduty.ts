import { z } from 'zod'
import { type Alert, endingTypes } from '#core/contacts/alerting.ts'
import { oneLine } from '#core/language/one-line.ts'
import { toPublicAlert } from '#core/contacts/public-alert.ts'
import type { Judgement } from '#core/contacts/delivery-retry.ts'
import { type MessageContext, defineHttpKind } from './contact.ts'
import { labelProblem } from './destination.ts'
import { judgeHttp, refusal } from './judge.ts'
import type { HttpAnswer, HttpMessage } from './message.ts'
import { occasionId } from './occasion.ts'
import { readProviderJson } from './provider-json.ts'
import { userAgent } from './webhook.ts'
import { type Wording, linksOf, wordingOf } from '#contacts/wording/wording.ts'

/** https://support.pagerduty.com/main/docs/service-regions */
const servers = { us: 'https://events.pagerduty.com', eu: 'https://events.eu.pagerduty.com' } as const
const usualRegion = 'us'
const usualSeverity = 'critical'

const options = z.strictObject({
  routing_key: z
    .string()
    .regex(/^[A-Za-z0-9]{32}$/, 'Must be an integration key of 32 letters and digits.')
    .describe('The integration key of an Events API v2 integration.'),
  region: z
    .enum(['us', 'eu'])
    .optional()
    .describe(`Where the account is: eu if its address ends in .eu.pagerduty.com. Default ${usualRegion}.`),
  severity: z
    .enum(['critical', 'error', 'warning', 'info'])
    .optional()
    .describe(`Of outages. What ends or was found is a warning, or critical if exploited. Default ${usualSeverity}.`),
})
type Options = z.infer<typeof options>

/** A service of PagerDuty, by its Events API v2 (https://developer.pagerduty.com/docs/send-alert-event). */
export const pagerduty = defineHttpKind({
  name: 'pagerduty',
  options,
  secretOptions: ['routing_key'],
  destinationProblem: labelProblem,
  addressOf: ({ region = usualRegion }) => servers[region],
  message: pagerdutyMessage,
  judge: judgePagerduty,
})

export function pagerdutyMessage(alert: Alert, context: MessageContext & { options: Options }): HttpMessage {
  const { region = usualRegion, routing_key: key } = context.options
  const event = endingTypes.includes(alert.type)
    ? { event_action: 'resolve' }
    : { event_action: 'trigger', ...eventOf(alert, context) }
  return {
    via: 'http',
    url: `${servers[region]}/v2/enqueue`,
    headers: { 'content-type': 'application/json', 'user-agent': userAgent },
    body: JSON.stringify({ routing_key: key, dedup_key: dedupKeyOf(alert, context.deliveryId), ...event }),
  }
}

/**
 * Beginning, reminders and end share the incident or the episode; any other alert is one of its own, which another try
 * does not double.
 */
function dedupKeyOf(alert: Alert, deliveryId: string): string {
  return occasionId(alert) ?? deliveryId
}

/** The limit of a summary; the whole event may have 512 KB, which no alert comes near. */
const maxSummaryLength = 1024

function eventOf(alert: Alert, context: MessageContext & { options: Options }) {
  const { headline, lead, facts, link, acknowledge, runbook = null, tone } = wordingOf(alert, context)
  const links = linksOf({ link, acknowledge, runbook }).map(({ label, url }) => ({ href: url, text: label }))
  const { monitor } = toPublicAlert(alert).data
  const { severity = usualSeverity } = context.options
  return {
    payload: {
      summary: oneLine(headline, maxSummaryLength),
      source: monitor?.url ?? monitor?.name ?? 'Perigee',
      severity: alert.data.incident === null ? severities[tone] : severity,
      timestamp: alert.timestamp,
      class: alert.type,
      custom_details: detailsOf([{ label: 'What happened', value: lead }, ...facts]),
    },
    client: 'Perigee',
    client_url: link?.url ?? context.publicUrl,
    ...(links.length === 0 ? {} : { links }),
  }
}

const severities: Readonly<Record<Wording['tone'], string>> = {
  bad: 'critical',
  warning: 'warning',
  good: 'info',
  plain: 'info',
}

/** Facts with one label, such as of one vulnerability in two programs, share a line. */
function detailsOf(facts: Wording['facts']): Record<string, string> {
  const lines = new Map<string, string[]>()
  for (const { label, value } of facts) lines.set(label, [...(lines.get(label) ?? []), value])
  return Object.fromEntries([...lines].map(([label, values]) => [label, values.join('; ')]))
}

const failure = z.object({ errors: z.array(z.string()).min(1) })

/**
 * PagerDuty says that 400 need not be tried again, and 429 and 5xx should be. Its message says only that the event is
 * not valid, its errors say why.
 */
function judgePagerduty(answer: HttpAnswer): Judgement {
  if (answer.status !== 400 && answer.status !== 413) return judgeHttp(answer)
  const errors = readProviderJson(failure, answer.body)?.errors
  const error = errors === undefined ? refusal(answer) : `The contact answered ${answer.status}: ${errors.join('; ')}`
  return { outcome: 'failed', error, isGone: false }
}
