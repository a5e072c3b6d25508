import { z } from 'zod'
import { accountSchema as knownAccountSchema } from '#core/account.ts'
import { StartError } from '#store/database/start-error.ts'
import { readFrom, type Service } from '#cli/service.ts'

const maxAccountBytes = 65_536

/** A service of a later release may say more. */
const accountSchema = z.object(knownAccountSchema.pick({ plan_monitors: true, credit_cents: true }).shape).extend({
  pricing: z.object(knownAccountSchema.shape.pricing.shape),
})

/** Slots, prices and credit. */
export async function askAccount(service: Service): Promise<z.infer<typeof accountSchema>> {
  const asked = await readFrom(service, 'account', maxAccountBytes)
  if (!asked.ok) throw new StartError(asked.problem)
  const answer = z.object({ data: accountSchema }).safeParse(asked.body)
  if (!answer.success) throw new StartError('The answer of the service is not an account.')
  return answer.data.data
}
