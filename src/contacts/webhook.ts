import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { toPublicAlert } from '#core/contacts/public-alert.ts'
import type { Alert } from '#core/contacts/alerting.ts'
import { type MessageContext, defineHttpKind } from './contact.ts'
import { httpDestinationProblem } from './destination.ts'
import { judgeHttp } from './judge.ts'
import type { HttpMessage } from './message.ts'

export const webhook = defineHttpKind({
  name: 'webhook',
  options: z.strictObject({}),
  secretOptions: [],
  destinationProblem: httpDestinationProblem,
  message: webhookMessage,
  judge: judgeHttp,
})

export const userAgent = 'perigee-alerts/1'
const secretPrefix = 'whsec_'
/** Length of the key of a new secret. */
export const signingKeyBytes = 32

/** Signed as Standard Webhooks 1.0 says. While a secret is replaced, the message carries both signatures. */
export function webhookMessage(alert: Alert, context: MessageContext): HttpMessage {
  const { acknowledgeUrl: url } = context
  const body = toPublicAlert(alert)
  const told = url === undefined ? body : { ...body, data: { ...body.data, acknowledge_url: url } }
  return signedMessage(JSON.stringify(told), context)
}

/** Any other body, signed and sent in the same way. */
export function signedMessage(
  body: string,
  context: Pick<MessageContext, 'deliveryId' | 'sentAt' | 'destination' | 'signingSecrets'>,
): HttpMessage {
  const timestamp = String(Math.floor(context.sentAt.getTime() / 1000))
  const signed = `${context.deliveryId}.${timestamp}.${body}`
  return {
    via: 'http',
    url: context.destination,
    headers: {
      'content-type': 'application/json',
      'user-agent': userAgent,
      'webhook-id': context.deliveryId,
      'webhook-timestamp': timestamp,
      'webhook-signature': context.signingSecrets.map((secret) => signature(signed, secret)).join(' '),
    },
    body,
  }
}

/** `key` has 24 to 64 bytes, as Standard Webhooks asks. */
export function signingSecretOf(key: Buffer): string {
  return `${secretPrefix}${key.toString('base64')}`
}

function signature(signed: string, secret: string): string {
  const key = Buffer.from(secret.slice(secretPrefix.length), 'base64')
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
}
