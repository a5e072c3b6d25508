import { z } from 'zod'
import type { Alert } from '#core/contacts/alerting.ts'
import { type MessageContext, defineHttpKind } from './contact.ts'
import { addressText, httpDestinationProblem, labelProblem } from './destination.ts'
import { fitBytes } from '#contacts/wording/fit-bytes.ts'
import { judgeStrict } from './judge.ts'
import type { HttpMessage } from './message.ts'
import { occasionId } from './occasion.ts'
import { userAgent } from './webhook.ts'
import { type Wording, linksOf, wordingOf } from '#contacts/wording/wording.ts'

const form = 'https://chat.googleapis.com/v1/spaces/…/messages?key=…&token=…'

const options = z.strictObject({
  webhook_url: addressText.describe(`The address of an incoming webhook of the space: ${form}.`),
})
type Options = z.infer<typeof options>

/** An incoming webhook of a space of Google Chat (https://developers.google.com/workspace/chat/quickstart/webhooks). */
export const googleChat = defineHttpKind({
  name: 'google_chat',
  options,
  secretOptions: ['webhook_url'],
  destinationProblem: labelProblem,
  optionProblems: ({ webhook_url: url }, isForbidden) => {
    const problem = httpDestinationProblem(url, isForbidden) ?? webhookProblem(url)
    return problem === null ? {} : { webhook_url: problem }
  },
  addressOf: ({ webhook_url: url }) => url,
  message: googleChatMessage,
  // Google documents no answer of a webhook that says that its space is gone, so that 404 is tried again; rights and
  // quotas can change.
  judge: judgeStrict,
})

/** Google has one address for all spaces. */
function webhookProblem(webhookUrl: string): string | null {
  const { origin, pathname, searchParams } = new URL(webhookUrl)
  const isWebhook =
    origin === 'https://chat.googleapis.com' &&
    /^\/v1\/spaces\/[\w-]+\/messages$/.test(pathname) &&
    ['key', 'token'].every((name) => searchParams.get(name))
  return isWebhook ? null : `Must be the address of an incoming webhook: ${form}.`
}

/** Of the whole message (https://developers.google.com/workspace/chat/api/reference/rest/v1/spaces.messages/create). */
const maxMessageBytes = 32_000

/**
 * Messages of one incident or episode share a thread, so that a recovery answers its outage. A webhook cannot ask which threads
 * there are; where the space has none of that key, a new one begins.
 */
export function googleChatMessage(alert: Alert, context: MessageContext & { options: Options }): HttpMessage {
  const url = new URL(context.options.webhook_url)
  const occasion = occasionId(alert)
  if (occasion !== null) url.searchParams.set('messageReplyOption', 'REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD')
  const thread = occasion === null ? {} : { thread: { threadKey: occasion } }
  return {
    via: 'http',
    url: url.href,
    headers: { 'content-type': 'application/json; charset=UTF-8', 'user-agent': userAgent },
    body: fitBytes(wordingOf(alert, context), maxMessageBytes, (wording) =>
      JSON.stringify({ ...shownOf(wording), ...thread }),
    ),
  }
}

const colours: Readonly<Record<Wording['tone'], string>> = {
  bad: '#c5221f',
  warning: '#b06000',
  good: '#188038',
  plain: '#5f6368',
}

/**
 * A card and the plain text of its notification. There is no `text` beside them, whose mark-up can mention people and
 * cannot be escaped; paragraphs of a card are HTML (https://developers.google.com/workspace/chat/format-messages).
 */
function shownOf({ tone, headline, lead, facts, ...rest }: Wording) {
  const paragraphs = [
    `<font color="${colours[tone]}"><b>${escapeHtml(headline)}</b></font>`,
    escapeHtml(lead),
    ...(facts.length === 0 ? [] : [facts.map(lineOf).join('<br>')]),
  ]
  const buttons = linksOf(rest).map(({ label, url }) => ({ text: label, onClick: { openLink: { url } } }))
  const widgets = [
    ...paragraphs.map((paragraph) => ({ textParagraph: { text: paragraph } })),
    ...(buttons.length === 0 ? [] : [{ buttonList: { buttons } }]),
  ]
  return { fallbackText: headline, cardsV2: [{ cardId: 'alert', card: { sections: [{ widgets }] } }] }
}

function lineOf({ label, value }: Wording['facts'][number]): string {
  return `<b>${escapeHtml(label)}:</b> ${escapeHtml(value)}`
}

function escapeHtml(shown: string): string {
  return shown.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
