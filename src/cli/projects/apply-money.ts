import { z } from 'zod'
import { pricesOf } from '#core/projects/plan-price.ts'
import { StartError } from '#store/database/start-error.ts'
import type { Service } from '#cli/service.ts'
import { askAccount } from './account.ts'
import type { Step } from './apply-steps.ts'
import type { PacedService } from './paced-service.ts'
import { dollars } from './plan-text.ts'

type Purse = { service: Service; paced: PacedService; payUpToCents: number }

const quoteSchema = z.object({ data: z.object({ price_cents: z.int().min(0) }) })

/**
 * The steps with the most that each may take from credit. Throws StartError where that is more than was allowed, or
 * than there is.
 */
export async function priced(steps: readonly Step[], { service, paced, payUpToCents }: Purse): Promise<Step[]> {
  const account = await askAccount(service)
  const created = steps.flatMap((step) =>
    step.type === 'create' && step.entry.section === 'monitors' ? [step.entry] : [],
  )
  const prices = pricesOf(created, account)
  const withPrices: Step[] = []
  for (const step of steps) {
    if (step.type === 'create') withPrices.push({ ...step, maxCents: prices.get(step.entry) ?? 0 })
    else if (step.type === 'change') withPrices.push({ ...step, maxCents: await priceOfChange(step, paced) })
    else withPrices.push(step)
  }
  const due = withPrices.reduce((sum, step) => sum + ('maxCents' in step ? step.maxCents : 0), 0)
  if (due > payUpToCents)
    throw new StartError(
      `Nothing was changed. It would cost ${dollars(due)}; allow that with --pay-up-to ${dollars(due).slice(1)}.`,
    )
  if (due > account.credit_cents)
    throw new StartError(
      `Nothing was changed. It would cost ${dollars(due)}, and the credit is only ${dollars(account.credit_cents)}.`,
    )
  return withPrices
}

/** More locations cost something where the monitor is paid. What is refused now is refused again, and told, later. */
async function priceOfChange({ entry, present, fields }: Extract<Step, { type: 'change' }>, paced: PacedService) {
  if (entry.section !== 'monitors' || !fields.some(({ field }) => field === 'locations')) return 0
  const body = { name: entry.fields['name'], locations: entry.fields['locations'] }
  const outcome = await paced.ask({ method: 'POST', path: `monitors/${present.id}/quote`, body })
  return outcome.type === 'done' ? quoteSchema.parse(outcome.body).data.price_cents : 0
}
