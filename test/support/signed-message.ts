import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'

export type SignedMessage = { body: string; headers: Readonly<Record<string, string | string[] | undefined>> }

/**
 * The body of a message that was signed with the secret (Standard Webhooks 1.0); throws AssertionError for any other
 * message. That the public library says the same is seen in test/references.
 */
export function verifySigned(secret: string, { body, headers }: SignedMessage): unknown {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    String(headers[name]),
  )
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  assert.ok(signatures?.split(' ').includes(`v1,${signature}`), `message ${id} is not signed with this secret`)
  return JSON.parse(body)
}
