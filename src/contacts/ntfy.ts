import { z } from 'zod'
import type { Alert } from '#core/contacts/alerting.ts'
import { oneLine } from '#core/language/one-line.ts'
import { type MessageContext, defineHttpKind } from './contact.ts'
import { addressText, httpDestinationProblem } from './destination.ts'
import { fitBundle } from '#contacts/wording/fit-bytes.ts'
import { judgeStrict } from './judge.ts'
import type { HttpMessage } from './message.ts'
import { userAgent } from './webhook.ts'
import { type Wording, linksOf, wordingOf } from '#contacts/wording/wording.ts'

const usualServer = 'https://ntfy.sh'
const usualPriority = 4

const options = z.strictObject({
  server: addressText.optional().describe(`The address of the ntfy server, without a path. Default ${usualServer}.`),
  token: z
    .string()
    .regex(/^[!-~]{8,255}$/, 'Must be an access token, such as tk_…, of 8 to 255 visible ASCII characters.')
    .optional()
    .describe('An access token of the server, for topics that not everybody may write to.'),
  priority: z
    .int()
    .min(1)
    .max(5)
    .optional()
    .describe(
      `Of outages: 1 is the lowest, 3 is usual, 5 is the highest. Everything else has 3. Default ${usualPriority}.`,
    ),
})
type Options = z.infer<typeof options>

/** Topics of ntfy, on its public server or on one's own (https://docs.ntfy.sh/publish/#publish-as-json). */
export const ntfy = defineHttpKind({
  name: 'ntfy',
  options,
  secretOptions: ['token'],
  destinationProblem: (destination) =>
    /^[-_A-Za-z0-9]{1,64}$/.test(destination)
      ? null
      : 'Must be the name of a topic: 1 to 64 letters, digits, hyphens and underscores.',
  optionProblems: ({ server = usualServer }, isForbidden) => {
    const problem = httpDestinationProblem(server, isForbidden) ?? pathProblem(server)
    return problem === null ? {} : { server: problem }
  },
  addressOf: ({ server = usualServer }) => server,
  message: ntfyMessage,
  // A token that is refused can be mended, and a limit passes.
  judge: judgeStrict,
})

/** ntfy takes messages as JSON at its root alone. */
function pathProblem(server: string): string | null {
  const { pathname, search, hash } = new URL(server)
  return pathname === '/' && search === '' && hash === '' ? null : 'Must have no path: the topic is the destination.'
}

/** Names of emojis that ntfy shows before the title. */
const tags: Readonly<Record<Wording['tone'], string>> = {
  bad: 'rotating_light',
  warning: 'warning',
  good: 'white_check_mark',
  plain: 'bell',
}

/** What is longer becomes a file that is attached. */
const maxMessageBytes = 4096
/** ntfy has no limit of titles; phones show one line. */
const maxTitleLength = 250

export function ntfyMessage(alert: Alert, context: MessageContext & { options: Options }): HttpMessage {
  const { server = usualServer, token, priority = usualPriority } = context.options
  const wording = wordingOf(alert, context)
  const { tone, headline, link } = wording
  const cut = fitBundle(wording, (tried) => Buffer.byteLength(textOf(tried)) <= maxMessageBytes)
  // ntfy shows three at most.
  const actions = linksOf(wording).map(({ label, url }) => ({ action: 'view', label, url }))
  const shown = {
    topic: context.destination,
    title: oneLine(headline, maxTitleLength),
    message: cutBytes(textOf(cut)),
    priority: tone === 'bad' ? priority : 3,
    tags: [tags[tone]],
    ...(link === null ? {} : { click: link.url }),
    ...(actions.length === 0 ? {} : { actions }),
  }
  return {
    via: 'http',
    url: new URL('/', server).href,
    headers: {
      'content-type': 'application/json',
      'user-agent': userAgent,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(shown),
  }
}

function textOf({ lead, facts }: Wording): string {
  return [lead, ...facts.map(({ label, value }) => `${label}: ${value}`)].join('\n')
}

/** Between two characters, in UTF-8. */
function cutBytes(message: string): string {
  const bytes = new TextEncoder().encode(message)
  if (bytes.length <= maxMessageBytes) return message
  const end = '…'
  const room = maxMessageBytes - Buffer.byteLength(end)
  return new TextDecoder().decode(bytes.subarray(0, room), { stream: true }) + end
}
