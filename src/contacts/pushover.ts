import { z } from 'zod'
import type { Alert } from '#core/contacts/alerting.ts'
import { oneLine } from '#core/language/one-line.ts'
import type { Judgement } from '#core/contacts/delivery-retry.ts'
import { type MessageContext, defineHttpKind } from './contact.ts'
import { labelProblem } from './destination.ts'
import { fitWording } from '#contacts/wording/fit-bytes.ts'
import { judgeHttp, refusal } from './judge.ts'
import type { HttpAnswer, HttpMessage } from './message.ts'
import { unlinked } from './unlinked.ts'
import { userAgent } from './webhook.ts'
import { type Wording, linksOf, wordingOf } from '#contacts/wording/wording.ts'

const server = 'https://api.pushover.net'

const key = /^[A-Za-z0-9]{30}$/

const options = z.strictObject({
  app_token: z
    .string()
    .regex(key, 'Must be the token of an application: 30 letters and digits.')
    .describe('The token of an application that you made at Pushover.'),
  user_key: z
    .string()
    .regex(key, 'Must be the key of a user or a group: 30 letters and digits.')
    .describe('The key of the user or the group that is told.'),
  device: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,25}$/, 'Must be the name of a device: 1 to 25 letters, digits, hyphens and underscores.')
    .optional()
    .describe('The name of a device. Without it: all devices.'),
  sound: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,20}$/, 'Must be the name of a sound: 1 to 20 letters, digits, hyphens and underscores.')
    .optional()
    .describe('The name of a sound for outages, such as siren. Without it: the one that the device is set to.'),
  emergency: z
    .boolean()
    .optional()
    .describe('Whether outages are repeated every minute until they are confirmed on a device, for up to 50 minutes.'),
})
type Options = z.infer<typeof options>

/** Devices of a user or a group of Pushover (https://pushover.net/api). */
export const pushover = defineHttpKind({
  name: 'pushover',
  options,
  secretOptions: ['app_token', 'user_key'],
  destinationProblem: labelProblem,
  addressOf: () => server,
  message: pushoverMessage,
  judge: judgePushover,
})

/** https://pushover.net/api#limits */
const maxTitleLength = 250
const maxMessageLength = 1024
const maxUrlLength = 512

/** In seconds: 30 are the least between two repeats, and 10,800 the most in all. */
const emergencyPriority = { priority: '2', retry: '60', expire: '3000' }

export function pushoverMessage(alert: Alert, context: MessageContext & { options: Options }): HttpMessage {
  const { app_token: token, user_key: user, device, sound, emergency = false } = context.options
  const wording = wordingOf(alert, context)
  const { tone, headline, link } = wording
  const isBad = tone === 'bad'
  const sent = new URLSearchParams({
    token,
    user,
    title: titleOf(headline),
    message: textOf(fitWording(wording, (cut) => textOf(cut).length <= maxMessageLength)),
    timestamp: String(Math.floor(Date.parse(alert.timestamp) / 1000)),
    ...(isBad && emergency ? emergencyPriority : { priority: isBad ? '1' : '0' }),
    ...(device === undefined ? {} : { device }),
    ...(isBad && sound !== undefined ? { sound } : {}),
    ...(link === null || link.url.length > maxUrlLength ? {} : { url: link.url, url_title: link.label }),
  })
  return {
    via: 'http',
    url: `${server}/1/messages.json`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': userAgent },
    body: sent.toString(),
  }
}

/** A word joiner behind every character makes two of one at most. */
function titleOf(headline: string): string {
  const title = unlinked(headline)
  return title.length <= maxTitleLength ? title : unlinked(oneLine(headline, maxTitleLength / 2))
}

/**
 * The apps make links of addresses that they find in a text. So the one that acknowledges stands there: a message has a
 * single link beside its text, which every alert uses to open what it is about.
 */
function textOf({ lead, facts, acknowledge, runbook = null }: Wording): string {
  return [
    unlinked(lead),
    ...facts.map(({ label, value }) => `${unlinked(label)}: ${unlinked(value)}`),
    ...linksOf({ acknowledge, link: null, runbook })
      .filter(({ url }) => url.length <= maxUrlLength)
      .map(({ label, url }) => `${label}: ${url}`),
  ].join('\n')
}

/**
 * Pushover asks never to repeat what it answered by 4xx. The exception is 429: the messages of the month are used up
 * until the time that a header tells, or more are bought.
 */
function judgePushover(answer: HttpAnswer): Judgement {
  const { status, headers, at } = answer
  if (status === 429) return judgeHttp(answer, secondsUntil(headers['x-limit-app-reset'], at))
  if (status >= 400 && status < 500) return { outcome: 'failed', error: refusal(answer), isGone: false }
  return judgeHttp(answer)
}

/** `header` has seconds since 1970. */
function secondsUntil(header: string | undefined, now: Date): number | null {
  if (header === undefined || !/^\d{1,12}$/.test(header)) return null
  return Math.max(0, Math.ceil(Number(header) - now.getTime() / 1000))
}
