import { z } from 'zod'
import type { Alert } from '#core/contacts/alerting.ts'
import type { Judgement } from '#core/contacts/delivery-retry.ts'
import { type MessageContext, defineHttpKind } from './contact.ts'
import { addressText, belowServer, serverProblem } from './destination.ts'
import { fitWording } from '#contacts/wording/fit-bytes.ts'
import { judgeHttp, refusal } from './judge.ts'
import type { HttpAnswer, HttpMessage } from './message.ts'
import { readProviderJson } from './provider-json.ts'
import { userAgent } from './webhook.ts'
import { type Link, type Wording, linksOf, wordingOf } from '#contacts/wording/wording.ts'

const usualServer = 'https://api.telegram.org'
const largestTopic = 2 ** 31 - 1
/** Ids of chats have at most 52 bits (https://core.telegram.org/bots/api#chat). */
const chatNumbers = 2 ** 52

const options = z.strictObject({
  token: z
    .string()
    .regex(/^\d{1,20}:[\w-]{20,200}$/, 'Must be the token of a bot, such as 123456:ABC-DEF…, as BotFather shows it.')
    .describe('The token of the bot that writes, as BotFather shows it.'),
  message_thread_id: z
    .int()
    .min(1)
    .max(largestTopic)
    .optional()
    .describe('The number of the topic to write to, in a group with topics. Without it: the general one.'),
  server: addressText
    .optional()
    .describe(`The address of a Bot API server of your own, with its path if it has one. Default ${usualServer}.`),
})
type Options = z.infer<typeof options>

/**
 * A chat of Telegram, to which a bot writes (https://core.telegram.org/bots/api#sendmessage), by Telegram's own server
 * or one that is run by others (https://core.telegram.org/bots/api#using-a-local-bot-api-server).
 */
export const telegram = defineHttpKind({
  name: 'telegram',
  options,
  secretOptions: ['token'],
  destinationProblem: (destination) =>
    isChatNumber(destination) || /^@[A-Za-z]\w{3,31}$/.test(destination)
      ? null
      : 'Must be the id of a chat, such as -1001234567890, or the name of a public channel or group, such as @name.',
  optionProblems: ({ server = usualServer }, isForbidden) => {
    const problem = serverProblem(server, isForbidden)
    return problem === null ? {} : { server: problem }
  },
  addressOf: ({ server = usualServer }) => server,
  message: telegramMessage,
  judge: judgeTelegram,
})

function isChatNumber(destination: string): boolean {
  return /^-?[1-9]\d{0,15}$/.test(destination) && Math.abs(Number(destination)) < chatNumbers
}

/** Of the text as it is shown, in the units in which Telegram counts its entities: UTF-16. */
const maxTextLength = 4096

/** The mark-up stands beside the text, so that nothing in the text has to be escaped. */
export function telegramMessage(alert: Alert, context: MessageContext & { options: Options }): HttpMessage {
  const { destination } = context
  const { token, message_thread_id: topic, server = usualServer } = context.options
  const wording = fitWording(wordingOf(alert, context), (cut) => textOf(runsOf(cut)).length <= maxTextLength)
  const runs = runsOf(wording)
  const sent = {
    chat_id: isChatNumber(destination) ? Number(destination) : destination,
    ...(topic === undefined ? {} : { message_thread_id: topic }),
    text: textOf(runs),
    entities: entitiesOf(runs),
    link_preview_options: { is_disabled: true },
    ...replyTo(context.earlier),
    ...buttonsOf(linksOf(wording)),
  }
  return {
    via: 'http',
    url: belowServer(server, `/bot${token}/sendMessage`),
    headers: { 'content-type': 'application/json', 'user-agent': userAgent },
    body: JSON.stringify(sent),
  }
}

/**
 * A message that people deleted is not answered, and the recovery comes all the same
 * (https://core.telegram.org/bots/api#replyparameters).
 */
function replyTo(earlier: MessageContext['earlier']) {
  const id = Number(earlier?.reference)
  if (!Number.isSafeInteger(id) || id < 1) return {}
  return { reply_parameters: { message_id: id, allow_sending_without_reply: true } }
}

/** A part of the text that looks alike. */
type Run = { text: string; look: 'plain' | 'bold' | 'code' }

/** Messages have no colours. */
const marks: Readonly<Record<Wording['tone'], string>> = { bad: '🔴', warning: '🟠', good: '🟢', plain: '🔵' }

function runsOf({ tone, headline, lead, facts, ...rest }: Wording): Run[] {
  const written = linksOf(rest).filter(({ url }) => !isButtonUrl(url))
  return [
    plain(`${marks[tone]} `),
    { text: shielded(headline), look: 'bold' },
    plain(`\n${shielded(lead)}`),
    ...facts.flatMap(({ label, value }) => [plain(`\n${shielded(label)}: `), valueRun(value)]),
    ...written.flatMap(({ label, url }) => [plain(`\n${label}: `), valueRun(url)]),
  ]
}

function plain(text: string): Run {
  return { text, look: 'plain' }
}

/** Telegram finds nothing in code, and a touch copies it. */
function valueRun(value: string): Run {
  return shielded(value) === value ? plain(value) : { text: value, look: 'code' }
}

/**
 * Telegram makes links of addresses, names, tags and commands that it finds in a text. It finds none where an invisible
 * word joiner stands behind the character by which it knows them.
 */
function shielded(text: string): string {
  return text.replaceAll(/[@#$/.](?=\S)/g, (character) => `${character}\u2060`)
}

function textOf(runs: readonly Run[]): string {
  return runs.map(({ text }) => text).join('')
}

function entitiesOf(runs: readonly Run[]) {
  let offset = 0
  return runs.flatMap(({ text, look }) => {
    const entity = { type: look, offset, length: text.length }
    offset += text.length
    return look === 'plain' ? [] : [entity]
  })
}

/** Side by side. */
function buttonsOf(links: readonly Link[]) {
  const row = links.filter(({ url }) => isButtonUrl(url)).map(({ label, url }) => ({ text: label, url }))
  return row.length === 0 ? {} : { reply_markup: { inline_keyboard: [row] } }
}

/** Telegram refuses a message whose button leads to a host without a dot, such as `localhost`. */
function isButtonUrl(url: string): boolean {
  return new URL(url).hostname.includes('.')
}

/** https://core.telegram.org/bots/api#making-requests and #responseparameters. */
const failure = z.object({
  description: z.string().default(''),
  parameters: z
    .object({ retry_after: z.number().nonnegative().optional(), migrate_to_chat_id: z.number().optional() })
    .default({}),
})

const success = z.object({ result: z.object({ message_id: z.int().min(1) }) })

/** Chats that are no more. */
const gone = /user is deactivated|chat was deleted/i
/** Refusals by 400 that the people of the chat can mend. */
const mendable = /rights|CHAT_WRITE_FORBIDDEN|TOPIC_CLOSED/i

/**
 * A group that became a supergroup has another id from then on, which Telegram tells. A token that is refused, and a
 * bot that was blocked or removed, can be mended.
 */
function judgeTelegram(answer: HttpAnswer): Judgement {
  const { description, parameters } = readProviderJson(failure, answer.body) ?? failure.parse({})
  const { retry_after: seconds = null, migrate_to_chat_id: movedTo } = parameters
  const error = refusal(answer)
  switch (answer.status) {
    case 200:
      return { outcome: 'delivered', ...referenceOf(answer) }
    case 400:
      if (movedTo !== undefined)
        return { outcome: 'failed', error: `${error}. The id of the chat is now ${movedTo}.`, isGone: true }
      return mendable.test(description) ? judgeHttp(answer) : { outcome: 'failed', error, isGone: false }
    case 403:
      return gone.test(description) ? { outcome: 'failed', error, isGone: true } : judgeHttp(answer)
    default:
      return judgeHttp(answer, seconds)
  }
}

function referenceOf({ body }: HttpAnswer): { reference?: string } {
  const id = readProviderJson(success, body)?.result.message_id
  return id === undefined ? {} : { reference: String(id) }
}
