import { ECDH } from 'node:crypto'
import { z } from 'zod'
import type { Alert } from '#core/contacts/alerting.ts'
import type { Judgement } from '#core/contacts/delivery-retry.ts'
import { type MessageContext, defineHttpKind } from './contact.ts'
import { addressText, httpDestinationProblem, labelProblem } from './destination.ts'
import { fitBytes } from '#contacts/wording/fit-bytes.ts'
import { judgeHttp, refusal } from './judge.ts'
import type { BytesMessage, HttpAnswer } from './message.ts'
import { occasionId } from './occasion.ts'
import { userAgent } from './webhook.ts'
import { wordingOf } from '#contacts/wording/wording.ts'

const options = z.strictObject({
  endpoint: addressText.describe('The address at which a push service takes messages for the browser.'),
  p256dh: z
    .string()
    .regex(/^[\w-]{87}=?$/, 'Must be the public key of the subscription, 65 bytes in base64url.')
    .refine(isPoint, 'Must be a public key on the curve P-256.')
    .describe('The public key of the subscription, in base64url.'),
  auth: z
    .string()
    .regex(/^[\w-]{22}(?:==)?$/, 'Must be the secret of the subscription, 16 bytes in base64url.')
    .describe('The secret of the subscription, in base64url.'),
})
type Options = z.infer<typeof options>

/**
 * A browser that subscribed in the console: the push service of its maker takes messages for it (RFC 8030), encrypted
 * for it alone (RFC 8291) and signed by this installation (RFC 8292).
 */
export const webPush = defineHttpKind({
  name: 'web_push',
  options,
  secretOptions: ['endpoint', 'p256dh', 'auth'],
  destinationProblem: labelProblem,
  optionProblems: ({ endpoint }, isForbidden) => {
    const problem = httpDestinationProblem(endpoint, isForbidden) ?? serviceProblem(endpoint)
    return problem === null ? {} : { endpoint: problem }
  },
  addressOf: ({ endpoint }) => endpoint,
  message: webPushMessage,
  judge: judgeWebPush,
})

/** Google ended this service in 2019; the library would ask for a key of it. */
function serviceProblem(endpoint: string): string | null {
  return new URL(endpoint).hostname === 'android.googleapis.com'
    ? 'Belongs to a push service that no longer exists.'
    : null
}

function isPoint(key: string): boolean {
  try {
    ECDH.convertKey(key, 'prime256v1', 'base64url', 'base64url', 'compressed')
    return true
  } catch {
    return false
  }
}

/** Push services take 4,096 bytes, of which encryption needs 103. */
const maxTextBytes = 3000
/** As long as an alert is worth anything. */
const lifetimeSeconds = 24 * 60 * 60

/** The library gives some of them as numbers. */
const sentHeaders = z.record(z.string(), z.coerce.string())

export async function webPushMessage(
  alert: Alert,
  context: MessageContext & { options: Options },
): Promise<BytesMessage> {
  const { options: subscription, pushKeys, publicUrl } = context
  if (pushKeys === undefined) throw new Error('There are no keys for push messages.')
  const { endpoint, p256dh, auth } = subscription
  // It takes 13 MB, which installations without such contacts keep.
  const { default: library } = await import('web-push')
  const topic = topicOf(alert, context)
  const { headers, body } = library.generateRequestDetails(
    { endpoint, keys: { p256dh, auth } },
    shownOf(alert, context),
    {
      TTL: lifetimeSeconds,
      urgency: isOutage(alert) ? 'high' : 'normal',
      topic,
      vapidDetails: { subject: subjectOf(publicUrl), ...pushKeys },
    },
  )
  const named = Object.entries(sentHeaders.parse(headers)).map(([name, value]) => [name.toLowerCase(), value] as const)
  return { via: 'http', url: endpoint, headers: { ...Object.fromEntries(named), 'user-agent': userAgent }, body }
}

/** One that goes on. */
function isOutage({ type }: Alert): boolean {
  return type === 'monitor.down' || type === 'monitor.reminder'
}

/** What the worker in the browser shows (web/public/push-worker.js). */
function shownOf(alert: Alert, context: MessageContext): string {
  return fitBytes(wordingOf(alert, context), maxTextBytes, ({ headline, lead, facts, link, acknowledge }) =>
    JSON.stringify({
      title: headline,
      body: [lead, ...facts.map(({ label, value }) => `${label}: ${value}`)].join('\n'),
      url: link?.url ?? context.publicUrl,
      ...(acknowledge === null ? {} : { acknowledge }),
      tag: topicOf(alert, context),
    }),
  )
}

/**
 * A reminder or an end takes the place of what it is about, on the screen and where that still waits for the browser. 32 characters, as
 * many as a topic has (RFC 8030 5.4).
 */
function topicOf(alert: Alert, { deliveryId }: MessageContext): string {
  return (occasionId(alert) ?? deliveryId).replaceAll('-', '')
}

/** Where the maker of a browser finds who sends. A contact is https: or mailto: (RFC 8292 2.1). */
function subjectOf(publicUrl: string): string {
  return publicUrl.startsWith('https:') ? publicUrl : `mailto:perigee@${new URL(publicUrl).hostname}`
}

/** A subscription that ended answers 404, or 410 as others do (RFC 8030 7.3, and what push services do). */
function judgeWebPush(answer: HttpAnswer): Judgement {
  switch (answer.status) {
    case 404:
      return { outcome: 'failed', error: refusal(answer), isGone: true }
    case 400:
    case 413:
      return { outcome: 'failed', error: refusal(answer), isGone: false }
    default:
      return judgeHttp(answer)
  }
}
