import { z } from 'zod'
import type { Alert } from '#core/contacts/alerting.ts'
import type { Judgement } from '#core/contacts/delivery-retry.ts'
import { type MessageContext, defineHttpKind } from './contact.ts'
import { addressText, belowServer, labelProblem, serverProblem } from './destination.ts'
import { judgeHttp, refusal } from './judge.ts'
import type { HttpAnswer, HttpMessage } from './message.ts'
import { readProviderJson } from './provider-json.ts'
import { userAgent } from './webhook.ts'
import { type Wording, linksOf, wordingOf } from '#contacts/wording/wording.ts'

const options = z.strictObject({
  server: addressText.describe('The address of the Apprise API server, with its path if it has one.'),
  config_key: z
    .string()
    .regex(/^[\w-]{1,128}$/, 'Must be a key of 1 to 128 letters, digits, hyphens and underscores.')
    .describe('The key of the configuration that names the services. Whoever knows it can write to them.'),
  tag: z
    .string()
    .regex(
      /^(?=.*\w)[\w ,|&+:-]{1,255}$/,
      'Must be tags: letters, digits, hyphens and underscores, joined by spaces or commas.',
    )
    .optional()
    .describe(
      'Only the services with this tag. A comma means or, a space means and. Without it: all that have no tag.',
    ),
})
type Options = z.infer<typeof options>

/** A configuration that an Apprise API server keeps (https://appriseit.com/api/usage/). */
export const apprise = defineHttpKind({
  name: 'apprise',
  options,
  secretOptions: ['config_key'],
  destinationProblem: labelProblem,
  optionProblems: ({ server }, isForbidden) => {
    const problem = serverProblem(server, isForbidden)
    return problem === null ? {} : { server: problem }
  },
  addressOf: ({ server }) => server,
  message: appriseMessage,
  judge: judgeApprise,
})

const types: Readonly<Record<Wording['tone'], string>> = {
  bad: 'failure',
  warning: 'warning',
  good: 'success',
  plain: 'info',
}

export function appriseMessage(alert: Alert, context: MessageContext & { options: Options }): HttpMessage {
  const { server, config_key: key, tag } = context.options
  const { tone, headline, lead, facts, ...rest } = wordingOf(alert, context)
  const lines = [lead, ...facts.map(({ label, value }) => `${label}: ${value}`)].map(shielded)
  const sent = {
    title: shielded(headline),
    body: [...lines, ...linksOf(rest).map(({ label, url }) => `${label}: ${url}`)].join('\n'),
    type: types[tone],
    format: 'text',
    ...(tag === undefined ? {} : { tag }),
  }
  return {
    via: 'http',
    url: belowServer(server, `/notify/${key}`),
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      'user-agent': userAgent,
      // What was sent stands in the answer, beside what was not.
      'x-apprise-log-level': 'INFO',
    },
    body: JSON.stringify(sent),
  }
}

/**
 * Chats know people whom a text mentions by what stands in front of their names, and Apprise does not say which chat
 * a text is for. An invisible word joiner behind that character keeps every one of them from it.
 */
function shielded(words: string): string {
  return words.replaceAll(/[@<](?=\S)/g, (character) => `${character}\u2060`)
}

/** Lines of the log of Apprise, which tell of each service whether its message was sent. */
const failure = z.object({ details: z.array(z.tuple([z.string(), z.string(), z.string()])) })
const telling: ReadonlySet<string> = new Set(['WARNING', 'ERROR', 'CRITICAL'])

/**
 * 400 and 431 say that a message will never be taken. A configuration that is missing (204) can be made. After 424 some
 * services may have been reached; another try would tell them again and again because of one that is out of order.
 */
function judgeApprise(answer: HttpAnswer): Judgement {
  const { status } = answer
  switch (status) {
    case 204:
      return { outcome: 'try_again', error: 'The server has no configuration with this key (204).', afterSeconds: null }
    case 400:
    case 406:
    case 413:
    case 431:
      return { outcome: 'failed', error: refusal(answer), isGone: false }
    case 424:
      return judgeUnsent(answer)
    default:
      return judgeHttp(answer)
  }
}

function judgeUnsent(answer: HttpAnswer): Judgement {
  const lines = readProviderJson(failure, answer.body)?.details ?? []
  const reasons = lines.filter(([level]) => telling.has(level)).map(([, , said]) => said)
  const error = reasons.length === 0 ? refusal(answer) : `The contact answered ${answer.status}: ${reasons.join(' ')}`
  if (!lines.some(([level, , said]) => level === 'INFO' && said.startsWith('Sent '))) return tryAgain(answer, error)
  return { outcome: 'failed', error: `Only some of the services were reached. ${error}`, isGone: false }
}

function tryAgain(answer: HttpAnswer, error: string): Judgement {
  const judgement = judgeHttp(answer)
  return judgement.outcome === 'try_again' ? { ...judgement, error } : judgement
}
