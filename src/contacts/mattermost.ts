import { z } from 'zod'
import type { Alert } from '#core/contacts/alerting.ts'
import type { Judgement } from '#core/contacts/delivery-retry.ts'
import { type MessageContext, defineHttpKind } from './contact.ts'
import { addressText, httpDestinationProblem } from './destination.ts'
import { fitWording } from '#contacts/wording/fit-bytes.ts'
import { judgeHttp, refusal } from './judge.ts'
import type { HttpAnswer, HttpMessage } from './message.ts'
import { readProviderJson } from './provider-json.ts'
import { unlinked, wordJoiner } from './unlinked.ts'
import { userAgent } from './webhook.ts'
import { type Link, type Wording, linksOf, wordingOf } from '#contacts/wording/wording.ts'

const form = 'https://mattermost.example.com/hooks/…'

const options = z.strictObject({
  webhook_url: addressText.describe(
    `The address of an incoming webhook of the server: ${form}. It may write to every public channel, unless it is locked to one.`,
  ),
})
type Options = z.infer<typeof options>

/** A channel of a Mattermost server (https://developers.mattermost.com/integrate/webhooks/incoming/). */
export const mattermost = defineHttpKind({
  name: 'mattermost',
  options,
  secretOptions: ['webhook_url'],
  destinationProblem: (destination) =>
    /^(?:[a-z0-9][a-z0-9_-]{0,63}|@[a-z0-9._-]{1,64})$/.test(destination)
      ? null
      : 'Must be the name of a channel as its address has it, such as town-square, or @ and the name of a user.',
  optionProblems: ({ webhook_url: url }, isForbidden) => {
    const problem = httpDestinationProblem(url, isForbidden) ?? webhookProblem(url)
    return problem === null ? {} : { webhook_url: problem }
  },
  addressOf: ({ webhook_url: url }) => url,
  message: mattermostMessage,
  judge: judgeMattermost,
})

/** The server may have a path of its own. */
function webhookProblem(webhookUrl: string): string | null {
  const { pathname, search, hash } = new URL(webhookUrl)
  const isWebhook = /\/hooks\/[A-Za-z0-9]+$/.test(pathname) && search === '' && hash === ''
  return isWebhook ? null : `Must be the address of an incoming webhook: ${form}.`
}

const colours: Readonly<Record<Wording['tone'], string>> = {
  bad: '#d24b4e',
  warning: '#e3a008',
  good: '#3db887',
  plain: '#8d93a5',
}

/** Releases before 6.0 keep 8,000 characters of a post beside its text, some of them for the server itself. */
const maxAttachmentLength = 7600
/** Fields that are no longer stand side by side. */
const maxShortLength = 30

/** The channel is always named, so that a contact writes where it says, or not at all. */
export function mattermostMessage(alert: Alert, context: MessageContext & { options: Options }): HttpMessage {
  const wording = wordingOf(alert, context)
  const cut = fitWording(wording, (tried) => keptLength(attachmentOf(tried)) <= maxAttachmentLength)
  return {
    via: 'http',
    url: context.options.webhook_url,
    headers: { 'content-type': 'application/json', 'user-agent': userAgent },
    body: JSON.stringify({ channel: context.destination, attachments: [attachmentOf(cut)] }),
  }
}

/** The title is no mark-up where it is a link, and the server looks for mentions in text and fields. */
function attachmentOf({ tone, headline, lead, facts, link, acknowledge, runbook = null }: Wording) {
  return {
    fallback: unlinked(headline),
    color: colours[tone],
    title: unlinked(headline),
    ...(link === null ? {} : { title_link: link.url }),
    text: [prose(lead), ...linksOf({ acknowledge, link: null, runbook }).map(linkText)].join('\n'),
    fields: facts.map(({ label, value }) => ({
      title: prose(label),
      value: /:\/\//.test(value) ? codeOf(value) : prose(value),
      short: value.length <= maxShortLength,
    })),
  }
}

function linkText({ label, url }: Link): string {
  return `[${prose(label)}](${url.replaceAll('(', '%28').replaceAll(')', '%29')})`
}

/** Mattermost keeps JSON in which each of these takes six characters. */
function keptLength(attachment: unknown): number {
  return JSON.stringify([attachment]).replaceAll(/[<>&]/g, '\\u0000').length
}

/**
 * Backslashes keep mark-up away and no mentions: the server takes them out before it looks for those. Lists and
 * headings begin a line, and no text here has more than one.
 */
function prose(shown: string): string {
  return unlinked(shown).replaceAll(/[\\`*_[\]#>~|]|^[-+]|(?<=^\d{1,9})[.)]/g, (sign) => `\\${sign}`)
}

/**
 * Nothing is found in code, and an address in it can be copied. Only an address of mail is torn apart, because some
 * readers of Markdown see one that begins with the mark of the code.
 */
function codeOf(value: string): string {
  const shown = value.replaceAll('@', `@${wordJoiner}`)
  const longest = Math.max(0, ...(shown.match(/`+/g) ?? []).map((run) => run.length))
  const fence = '`'.repeat(longest + 1)
  return longest === 0 ? `${fence}${shown}${fence}` : `${fence} ${shown} ${fence}`
}

/** https://developers.mattermost.com/api-documentation/, "Error handling". */
const failure = z.object({ id: z.string() })

/** Mattermost answers 400 with these ids where it could not ask its database, too. */
const uncertain = new Set(['web.incoming_webhook.invalid.app_error', 'web.incoming_webhook.user.app_error'])
const unknownChannel = 'web.incoming_webhook.channel.app_error'

/**
 * A channel that was deleted or renamed is gone. A webhook that is locked to another channel, or whose maker has left
 * the channel, can be mended.
 */
function judgeMattermost(answer: HttpAnswer): Judgement {
  const { status } = answer
  const { id = '' } = readProviderJson(failure, answer.body) ?? {}
  if (status === 404 && id === unknownChannel) return { outcome: 'failed', error: refusal(answer), isGone: true }
  if (status === 413 || (status === 400 && !uncertain.has(id)))
    return { outcome: 'failed', error: refusal(answer), isGone: false }
  return judgeHttp(answer)
}
