import { z } from 'zod'
import type { Alert } from '#core/contacts/alerting.ts'
import { type MessageContext, defineHttpKind } from './contact.ts'
import { addressText, belowServer, labelProblem, serverProblem } from './destination.ts'
import { judgeStrict } from './judge.ts'
import type { HttpMessage } from './message.ts'
import { userAgent } from './webhook.ts'
import { linksOf, wordingOf } from '#contacts/wording/wording.ts'

const usualPriority = 8
/** With a sound, and without vibration. */
const quietPriority = 5

const options = z.strictObject({
  server: addressText.describe('The address of the Gotify server, with its path if it has one.'),
  token: z
    .string()
    .regex(/^[!-~]{8,255}$/, 'Must be the token of an application, of 8 to 255 visible ASCII characters.')
    .describe('The token of an application of the server. The token of a client cannot send messages.'),
  priority: z
    .int()
    .min(0)
    .max(10)
    .optional()
    .describe(
      `Of outages: 0 shows nothing, 1 to 3 are silent, 4 to 7 have a sound, 8 to 10 vibrate too. Default ${usualPriority}. Everything else has at most ${quietPriority}.`,
    ),
})
type Options = z.infer<typeof options>

/** An application of a Gotify server (https://gotify.net/docs/pushmsg, https://gotify.net/api-docs). */
export const gotify = defineHttpKind({
  name: 'gotify',
  options,
  secretOptions: ['token'],
  destinationProblem: labelProblem,
  optionProblems: ({ server }, isForbidden) => {
    const problem = serverProblem(server, isForbidden)
    return problem === null ? {} : { server: problem }
  },
  addressOf: ({ server }) => server,
  message: gotifyMessage,
  // A token that is refused can be mended, so that 401 and 403 are tried again.
  judge: judgeStrict,
})

/**
 * Gotify documents no limit of texts. As plain text no name of a monitor becomes mark-up or loads a picture
 * (https://gotify.net/docs/msgextras).
 */
export function gotifyMessage(alert: Alert, context: MessageContext & { options: Options }): HttpMessage {
  const { server, token, priority = usualPriority } = context.options
  const { tone, headline, lead, facts, link, acknowledge, runbook = null } = wordingOf(alert, context)
  const lines = [
    lead,
    ...facts.map(({ label, value }) => `${label}: ${value}`),
    ...linksOf({ link, acknowledge, runbook }).map(({ label, url }) => `${label}: ${url}`),
  ]
  const shown = {
    title: headline,
    message: lines.join('\n'),
    priority: tone === 'bad' ? priority : Math.min(priority, quietPriority),
    extras: {
      'client::display': { contentType: 'text/plain' },
      ...(link === null ? {} : { 'client::notification': { click: { url: link.url } } }),
    },
  }
  return {
    via: 'http',
    url: belowServer(server, '/message'),
    headers: { 'content-type': 'application/json', 'user-agent': userAgent, 'x-gotify-key': token },
    body: JSON.stringify(shown),
  }
}
