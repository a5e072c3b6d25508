import { z } from 'zod'
import type { Alert } from '#core/contacts/alerting.ts'
import { oneLine } from '#core/language/one-line.ts'
import type { Judgement } from '#core/contacts/delivery-retry.ts'
import { type MessageContext, defineHttpKind } from './contact.ts'
import { addressText, httpDestinationProblem, labelProblem } from './destination.ts'
import { fitWording } from '#contacts/wording/fit-bytes.ts'
import { judgeHttp, refusal } from './judge.ts'
import type { HttpAnswer, HttpMessage } from './message.ts'
import { readProviderJson } from './provider-json.ts'
import { userAgent } from './webhook.ts'
import { type Wording, linksOf, wordingOf } from '#contacts/wording/wording.ts'

const form = 'https://discord.com/api/webhooks/…/…'

const options = z.strictObject({
  webhook_url: addressText.describe(
    `The address of a webhook of the channel: ${form}. With ?thread_id=… it writes to that thread.`,
  ),
})
type Options = z.infer<typeof options>

/** A webhook of a channel of Discord (https://docs.discord.com/developers/resources/webhook#execute-webhook). */
export const discord = defineHttpKind({
  name: 'discord',
  options,
  secretOptions: ['webhook_url'],
  destinationProblem: labelProblem,
  optionProblems: ({ webhook_url: url }, isForbidden) => {
    const problem = httpDestinationProblem(url, isForbidden) ?? webhookProblem(url)
    return problem === null ? {} : { webhook_url: problem }
  },
  addressOf: ({ webhook_url: url }) => url,
  message: discordMessage,
  judge: judgeDiscord,
})

/** Of Discord itself, of the releases that it tries out, and its former one, which is still good. */
const hosts = new Set(['discord.com', 'ptb.discord.com', 'canary.discord.com', 'discordapp.com'])

function webhookProblem(webhookUrl: string): string | null {
  const { protocol, host, pathname, searchParams } = new URL(webhookUrl)
  const isWebhook =
    protocol === 'https:' &&
    hosts.has(host) &&
    /^\/api\/(?:v\d+\/)?webhooks\/\d+\/[\w-]+$/.test(pathname) &&
    [...searchParams].every(([name, value]) => name === 'thread_id' && /^\d+$/.test(value))
  return isWebhook ? null : `Must be the address of a webhook: ${form}.`
}

/** https://docs.discord.com/developers/resources/message#embed-object-embed-limits */
const maxTitleLength = 256
const maxDescriptionLength = 4096

const colours: Readonly<Record<Wording['tone'], number>> = {
  bad: 0xda373c,
  warning: 0xf0b232,
  good: 0x23a55a,
  plain: 0x80848e,
}

/**
 * With `wait`, Discord answers once the message is there; without it, it says nothing of one that it did not keep. The
 * addresses that it shows name no release of its API and mean one that gives waits in milliseconds.
 */
export function discordMessage(alert: Alert, context: MessageContext & { options: Options }): HttpMessage {
  const url = new URL(context.options.webhook_url)
  url.pathname = url.pathname.replace(/^\/api\/(?:v\d+\/)?/, '/api/v10/')
  url.searchParams.set('wait', 'true')
  const wording = wordingOf(alert, context)
  const cut = fitWording(wording, (tried) => descriptionOf(tried).length <= maxDescriptionLength)
  const embed = {
    title: titleOf(wording.headline),
    description: descriptionOf(cut),
    color: colours[wording.tone],
    timestamp: alert.timestamp,
  }
  return {
    via: 'http',
    url: url.href,
    headers: { 'content-type': 'application/json', 'user-agent': userAgent },
    body: JSON.stringify({ embeds: [embed], allowed_mentions: { parse: [] } }),
  }
}

/** Escaping makes two characters of one at most. */
function titleOf(headline: string): string {
  const title = escapeMarkdown(headline)
  return title.length <= maxTitleLength ? title : escapeMarkdown(oneLine(headline, maxTitleLength / 2))
}

/** Links in the text, because Discord refuses an embed with an address that it does not like, such as of `localhost`. */
function descriptionOf({ lead, facts, ...rest }: Wording): string {
  const links = linksOf(rest).map(({ label, url }) => `[${escapeMarkdown(label)}](${escapeUrl(url)})`)
  return [
    escapeMarkdown(lead),
    ...facts.map(({ label, value }) => `**${escapeMarkdown(label)}:** ${escapeMarkdown(value)}`),
    ...(links.length === 0 ? [] : [links.join(' · ')]),
  ].join('\n')
}

/** Of mark-up, mentions, emojis, times and addresses each needs one of these, or is a number at the beginning of a line. */
function escapeMarkdown(shown: string): string {
  return shown.replaceAll(/[\\*_~`|>#+[\]()<:@-]|(?<=^\d+)\./g, (character) => `\\${character}`)
}

function escapeUrl(url: string): string {
  return url.replaceAll('(', '%28').replaceAll(')', '%29')
}

/** https://docs.discord.com/developers/topics/opcodes-and-status-codes#json and /topics/rate-limits. */
const failure = z.object({ code: z.number().optional(), retry_after: z.number().nonnegative().optional() })

const unknownChannel = 10_003
const unknownWebhook = 10_015
const invalidToken = 50_027

/** A webhook whose channel was deleted is gone with it; a token of a webhook never becomes good again. */
function judgeDiscord(answer: HttpAnswer): Judgement {
  const { status } = answer
  const { code, retry_after: seconds } = readProviderJson(failure, answer.body) ?? {}
  const isGone = status === 404 && (code === unknownWebhook || code === unknownChannel)
  const isRefused = status === 400 || status === 413 || (status === 401 && code === invalidToken)
  if (isGone || isRefused) return { outcome: 'failed', error: refusal(answer), isGone }
  return judgeHttp(answer, seconds === undefined ? null : Math.ceil(seconds))
}
