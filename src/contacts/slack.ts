import { z } from 'zod'
import type { Alert } from '#core/contacts/alerting.ts'
import { type MessageContext, defineHttpKind } from './contact.ts'
import { httpDestinationProblem } from './destination.ts'
import { judgeHttp } from './judge.ts'
import type { HttpMessage } from './message.ts'
import { userAgent } from './webhook.ts'
import { type Link, linksOf, wordingOf } from '#contacts/wording/wording.ts'

export const slack = defineHttpKind({
  name: 'slack',
  options: z.strictObject({}),
  secretOptions: [],
  destinationProblem: httpDestinationProblem,
  message: slackMessage,
  judge: judgeHttp,
})

/** An incoming webhook of Slack, or of a chat that speaks its format. Previews of links are noise in an alert. */
export function slackMessage(alert: Alert, context: MessageContext): HttpMessage {
  const { headline, lead, facts, ...rest } = wordingOf(alert, context)
  const links = linksOf(rest).map(linkText)
  const lines = [
    `*${escapeText(headline)}*`,
    escapeText(lead),
    ...facts.map(({ label, value }) => `${label}: ${escapeText(value)}`),
    ...(links.length === 0 ? [] : [links.join(' · ')]),
  ]
  return {
    via: 'http',
    url: context.destination,
    headers: { 'content-type': 'application/json', 'user-agent': userAgent },
    body: JSON.stringify({ text: lines.join('\n'), unfurl_links: false, unfurl_media: false }),
  }
}

function linkText({ label, url }: Link): string {
  return `<${escapeUrl(url)}|${escapeText(label)}>`
}

/** Slack's three control characters; escaped, no text can mention a channel or become a link. */
function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function escapeUrl(url: string): string {
  return escapeText(url).replaceAll('|', '%7C')
}
