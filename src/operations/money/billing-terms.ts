import { z } from 'zod'
import { planTermsSchema, vatIdStateOf, vatPreviewOf, vatPreviewSchema } from '#core/money/billing-terms.ts'
import { fail } from '#core/language/error.ts'
import { usualInterval } from '#core/monitors/monitor-input.ts'
import { pricing } from '#core/money/pricing.ts'
import { decideVat } from '#core/money/vat.ts'
import { readVatCustomer } from '#store/money/vat-customer.ts'
import { readWorkspace } from '#store/workspaces/workspaces.ts'
import { planOf } from '#operations/workspaces/account.ts'
import { maxTopUpCents } from './credits.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'
import { integerParameter } from '#operations/pipeline/query.ts'

const inConsole = { method: 'GET', scope: 'read', surface: 'console', tag: 'Console' } as const

const getPlanTerms = defineOperation({
  ...inConsole,
  name: 'get_plan_terms',
  path: '/account/plan',
  summary: 'Show what the plan of the workspace allows',
  errors: [401],
  success: { status: 200, description: 'The terms.', schema: z.strictObject({ data: planTermsSchema }) },
  run: async ({ caller, services }) => {
    const workspace = await readWorkspace(services.database, caller.workspaceId)
    if (workspace === null) throw new Error(`The workspace ${caller.workspaceId} of a member does not exist.`)
    const plan = planOf(workspace, services.plans)
    const terms = {
      minimum_interval_seconds: plan.minIntervalSeconds,
      usual_interval_seconds: usualInterval({ billing: 'plan', plan }),
      maximum_paid_monitors: pricing.maxPaidMonitors,
      maximum_top_up_cents: maxTopUpCents,
      problem_days: plan.problemDays,
      vulnerability_alerts: plan.hasVulnerabilityAlerts,
      private_repositories: plan.hasPrivateRepositories,
      contact_kinds: plan.contactKinds === null ? null : [...plan.contactKinds],
    }
    return { status: 200, body: { data: terms } }
  },
})

const previewQuery = z.strictObject({
  amount_cents: integerParameter({ min: pricing.minimumTopUpCents, max: maxTopUpCents, default: 1000 }),
})

const previewVat = defineOperation({
  ...inConsole,
  role: 'owner',
  name: 'preview_vat',
  path: '/account/vat',
  summary: 'Show the VAT of a payment made now',
  query: { schema: previewQuery },
  errors: [401, 403, 422, 503],
  success: {
    status: 200,
    description: 'Net, VAT, and why it is so.',
    schema: z.strictObject({ data: vatPreviewSchema }),
  },
  run: async ({ caller, services, now: at }, { query: { amount_cents: amountCents } }) => {
    const { payments, database } = services
    if (payments === null) throw fail('payments_disabled', 'This installation does not take payments.')
    const customer = await readVatCustomer(database, caller.workspaceId)
    const vat = decideVat(customer, payments.seller, { amountCents, at })
    return {
      status: 200,
      body: { data: vatPreviewOf(amountCents, { vat, state: vatIdStateOf(customer, payments.seller) }) },
    }
  },
})

export const billingTermsOperations = [getPlanTerms, previewVat]
