import { z } from 'zod'
import type { Alert } from '#core/contacts/alerting.ts'
import type { Judgement } from '#core/contacts/delivery-retry.ts'
import { type MessageContext, defineHttpKind } from './contact.ts'
import { addressText, belowServer, serverProblem } from './destination.ts'
import { fitBytes } from '#contacts/wording/fit-bytes.ts'
import { judgeHttp, refusal } from './judge.ts'
import { escapeHtml } from '#contacts/mails/mail-layout.ts'
import type { HttpAnswer, HttpMessage } from './message.ts'
import { readProviderJson } from './provider-json.ts'
import { unlinked } from './unlinked.ts'
import { userAgent } from './webhook.ts'
import { type Wording, linksOf, wordingOf } from '#contacts/wording/wording.ts'

const options = z.strictObject({
  homeserver: addressText.describe(
    'The address at which the homeserver of the account serves its API, such as https://matrix-client.matrix.org.',
  ),
  access_token: z
    .string()
    .regex(/^[!-~]{8,2048}$/, 'Must be an access token, of 8 to 2,048 visible ASCII characters.')
    .describe('An access token of the account that writes. It has to be in the room.'),
})
type Options = z.infer<typeof options>

/** A room of Matrix, to which an account writes (https://spec.matrix.org/latest/client-server-api/). */
export const matrix = defineHttpKind({
  name: 'matrix',
  options,
  secretOptions: ['access_token'],
  destinationProblem: roomProblem,
  optionProblems: ({ homeserver }, isForbidden) => {
    const problem = serverProblem(homeserver, isForbidden)
    return problem === null ? {} : { homeserver: problem }
  },
  addressOf: ({ homeserver }) => homeserver,
  message: matrixMessage,
  judge: judgeMatrix,
})

/** An id names its server, except in rooms of version 12 and later, where it is a hash. */
const roomId = /^!(?:[\w-]{43}|[!-9;-~]{1,253}:[A-Za-z0-9.:[\]-]{1,230})$/

/** The address of a room (`#…`) would have to be looked up before each message, and may lead elsewhere each time. */
function roomProblem(destination: string): string | null {
  if (destination.startsWith('#'))
    return 'Must be the id of the room, which begins with !, and not its address: Element shows it in the settings of the room, under Advanced.'
  return roomId.test(destination) && destination.length <= 255
    ? null
    : 'Must be the id of a room, such as !AbCdEf:example.com.'
}

/** An event has 65,536 bytes at most, of which the homeserver needs some for what it adds. */
const maxContentBytes = 56 * 1024

/** The delivery is the transaction, so that a repeat is no second message. Notices would notify nobody by default. */
export function matrixMessage(alert: Alert, context: MessageContext & { options: Options }): HttpMessage {
  const { homeserver, access_token: token } = context.options
  const room = encodeURIComponent(context.destination)
  const path = `/_matrix/client/v3/rooms/${room}/send/m.room.message/${encodeURIComponent(context.deliveryId)}`
  return {
    via: 'http',
    method: 'PUT',
    url: belowServer(homeserver, path),
    headers: { 'content-type': 'application/json', 'user-agent': userAgent, authorization: `Bearer ${token}` },
    body: fitBytes(wordingOf(alert, context), maxContentBytes, (wording) => JSON.stringify(contentOf(wording))),
  }
}

/** An empty list of mentions says that the names of people in the text are none. */
function contentOf(wording: Wording) {
  return {
    msgtype: 'm.text',
    body: plainOf(wording),
    format: 'org.matrix.custom.html',
    formatted_body: htmlOf(wording),
    'm.mentions': {},
  }
}

/** Lists of rooms and notifications show the beginning alone, and no colours. */
const marks: Readonly<Record<Wording['tone'], string>> = { bad: '🔴', warning: '🟠', good: '🟢', plain: '🔵' }

function plainOf({ tone, headline, lead, facts, ...rest }: Wording): string {
  return [
    `${marks[tone]} ${unlinked(headline)}`,
    unlinked(lead),
    ...facts.map(({ label, value }) => `${unlinked(label)}: ${unlinked(value)}`),
    ...linksOf(rest).map(({ label, url }) => `${label}: ${url}`),
  ].join('\n')
}

function htmlOf({ tone, headline, lead, facts, ...rest }: Wording): string {
  return [
    `${marks[tone]} <strong>${escapeHtml(unlinked(headline))}</strong>`,
    escapeHtml(unlinked(lead)),
    ...facts.map(({ label, value }) => `${escapeHtml(unlinked(label))}: ${valueOf(value)}`),
    ...linksOf(rest).map(({ label, url }) => `<a href="${escapeHtml(url)}">${escapeHtml(label)}</a>`),
  ].join('<br>')
}

/** Clients find nothing in code, and what is in it can be copied. */
function valueOf(value: string): string {
  return unlinked(value) === value ? escapeHtml(value) : `<code>${escapeHtml(value)}</code>`
}

/** https://spec.matrix.org/latest/client-server-api/#standard-error-response */
const failure = z.object({ errcode: z.string(), retry_after_ms: z.number().nonnegative().optional() })

/** A room that the homeserver does not know, and an account that was closed, stay so. */
const gone = new Set(['M_NOT_FOUND', 'M_USER_DEACTIVATED'])
/** The homeserver has no such endpoint: its address is another one. */
const unserved = 'M_UNRECOGNIZED'

/** A token that is refused, and an account that is not in the room or may not write there, can be mended. */
function judgeMatrix(answer: HttpAnswer): Judgement {
  const { status } = answer
  const { errcode = '', retry_after_ms: waitMs } = readProviderJson(failure, answer.body) ?? {}
  const isGone = (status === 403 || status === 404) && gone.has(errcode)
  const isRefused = status === 400 || status === 413 || (status === 404 && errcode === unserved)
  if (isGone || isRefused) return { outcome: 'failed', error: refusal(answer), isGone }
  return judgeHttp(answer, waitMs === undefined ? null : Math.ceil(waitMs / 1000))
}
