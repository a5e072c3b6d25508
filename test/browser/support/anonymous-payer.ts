import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { authorizationFor, firstChallenge } from '../../support/payment-client.ts'
import type { Console } from './console.ts'

const createdSchema = z.object({ api_key: z.string() })

/** Pays for a monitor over HTTP without an account, in the sandbox; returns the key of the workspace that began so. */
export async function payWithoutAccount(
  { origin, collected }: Pick<Console, 'origin' | 'collected'>,
  monitor: Readonly<Record<string, unknown>>,
): Promise<string> {
  const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID() }
  const create = (payer: Readonly<Record<string, string>>): Promise<Response> =>
    fetch(`${origin}/api/v1/monitors`, {
      method: 'POST',
      headers: { ...headers, ...payer },
      body: JSON.stringify(monitor),
    })
  const authorization = authorizationFor(firstChallenge(await create({})))
  const answer = await (await create({ Authorization: authorization })).text()
  collected.note(answer)
  return createdSchema.parse(JSON.parse(answer)).api_key
}
