import { z } from 'zod'
import type { Alert } from '#core/contacts/alerting.ts'
import type { Judgement } from '#core/contacts/delivery-retry.ts'
import { type MessageContext, defineHttpKind } from './contact.ts'
import { judgeHttp, refusal } from './judge.ts'
import type { HttpAnswer, HttpMessage } from './message.ts'
import { readProviderJson } from './provider-json.ts'
import { smsText } from './sms-text.ts'
import { userAgent } from './webhook.ts'
import { wordingOf } from '#contacts/wording/wording.ts'

const server = 'https://api.twilio.com'

/** E.164, as https://www.twilio.com/docs/glossary/what-e164 has it. */
const number = /^\+[1-9]\d{6,14}$/
const messagingService = /^MG[0-9a-f]{32}$/
const senderId = /^(?=.{1,11}$)[A-Za-z0-9]+(?: [A-Za-z0-9]+)*$/

const options = z.strictObject({
  account_sid: z
    .string()
    .regex(/^AC[0-9a-f]{32}$/, 'Must be the SID of an account: AC and 32 digits from 0 to f.')
    .describe('The SID of the account at Twilio, which pays for the messages.'),
  auth_token: z
    .string()
    .regex(/^[A-Za-z0-9]{32}$/, 'Must be an auth token, or the secret of an API key: 32 letters and digits.')
    .describe('The auth token of the account, or the secret of the API key.'),
  api_key_sid: z
    .string()
    .regex(/^SK[0-9a-f]{32}$/, 'Must be the SID of an API key: SK and 32 digits from 0 to f.')
    .optional()
    .describe('The SID of an API key, if the secret is one of a key. A key can be withdrawn alone.'),
  from: z
    .string()
    .refine((from) => number.test(from) || messagingService.test(from) || senderId.test(from), {
      error: 'Must be a number of the account, such as +15005550006, a messaging service (MG…) or a sender id.',
    })
    .describe(
      'Who sends: a number of the account, the SID of a messaging service (MG…), or an alphanumeric sender id.',
    ),
})
type Options = z.infer<typeof options>

/** A phone, by the user's own account at Twilio (https://www.twilio.com/docs/messaging/api/message-resource). */
export const twilioSms = defineHttpKind({
  name: 'twilio_sms',
  options,
  secretOptions: ['auth_token'],
  destinationProblem: (destination) =>
    number.test(destination)
      ? null
      : 'Must be a phone number with + and the code of its country, without spaces, such as +491701234567.',
  addressOf: () => server,
  message: twilioMessage,
  judge: judgeTwilio,
})

export function twilioMessage(alert: Alert, context: MessageContext & { options: Options }): HttpMessage {
  const { account_sid: account, auth_token: token, api_key_sid: user = account, from } = context.options
  const sent = new URLSearchParams({
    To: context.destination,
    ...(messagingService.test(from) ? { MessagingServiceSid: from } : { From: from }),
    Body: smsText(wordingOf(alert, context)),
  })
  return {
    via: 'http',
    url: `${server}/2010-04-01/Accounts/${account}/Messages.json`,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'user-agent': userAgent,
      authorization: `Basic ${Buffer.from(`${user}:${token}`).toString('base64')}`,
    },
    body: sent.toString(),
  }
}

/** https://www.twilio.com/docs/usage/twilios-response, with the codes of /docs/api/errors. */
const failure = z.object({ code: z.number() })

/** Its reader answered STOP, so that nothing may be sent to the number. */
const unsubscribed = 21_610
/**
 * Refusals by 400 that pass or can be mended: the country is not enabled (21408), the number is not verified in a trial
 * (21608), and the queue of the sender or the account is full (21611, 30001).
 */
const mendable = new Set([21_408, 21_608, 21_611, 30_001])

/** A token that is refused, and an account without money, can be mended. */
function judgeTwilio(answer: HttpAnswer): Judgement {
  const { code = null } = readProviderJson(failure, answer.body) ?? {}
  if (answer.status !== 400 || (code !== null && mendable.has(code))) return judgeHttp(answer)
  return { outcome: 'failed', error: refusal(answer), isGone: code === unsubscribed }
}
