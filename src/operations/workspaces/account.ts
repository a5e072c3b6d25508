import { z } from 'zod'
import {
  type AccountRecord,
  type BillingDetailsRecord,
  accountSchema,
  billingDetailsInputSchema,
  billingDetailsSchema,
} from '#core/account.ts'
import { invalidFields } from '#core/language/error.ts'
import type { Plan } from '#core/money/plan.ts'
import { pricing } from '#core/money/pricing.ts'
import { countryOfVatId, vatTerritoryOf } from '#core/money/vat.ts'
import {
  type BillingDetails,
  type Workspace,
  countMonitorsByBilling,
  readWorkspace,
  setBillingDetails,
  workspaceGone,
} from '#store/workspaces/workspaces.ts'
import { type Context } from '#operations/pipeline/operation.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'

const getAccount = defineOperation({
  name: 'get_account',
  method: 'GET',
  path: '/account',
  scope: 'read',
  tag: 'Account',
  summary: 'Show the plan, its free monitor slots, the credit and the prices',
  errors: [401],
  success: { status: 200, description: 'The account.', schema: z.strictObject({ data: accountSchema }) },
  run: async (context) => ({ status: 200, body: { data: await readAccount(context) } }),
})

const updateBillingDetails = defineOperation({
  name: 'update_billing_details',
  method: 'PUT',
  path: '/account/billing',
  scope: 'write',
  role: 'owner',
  subject: 'workspace',
  takesLong: true,
  tag: 'Account',
  summary: 'Replace the billing details that receipts show',
  description:
    'All four fields are replaced; an omitted one is cleared. Receipts that were already issued stay as they are. ' +
    '`billing_vat_id` is kept without spaces, dots and dashes; its prefix must match `billing_country`.',
  body: { schema: billingDetailsInputSchema, isRequired: true, schemaName: 'BillingDetailsInput' },
  errors: [401, 403, 422],
  success: {
    status: 200,
    description: 'The billing details as they are now.',
    schema: z.strictObject({ data: billingDetailsSchema }),
  },
  run: async ({ caller, services, now, noteChange }, { body }) => {
    const { workspaceId } = caller
    const vatId = body.billing_vat_id === null ? null : await readVatId(services, body.billing_vat_id)
    const details = { name: body.billing_name, address: body.billing_address, country: body.billing_country, vatId }
    assertOneCountry(details)
    noteChange({ id: workspaceId })
    // Asked before the transaction, so that nothing waits for the authorities.
    const isVatIdConfirmed = vatId === null ? null : await services.vatIds.confirm(vatId)
    await services.database.transaction((tx) =>
      setBillingDetails(tx, { workspaceId, details, isVatIdConfirmed, at: now }),
    )
    return { status: 200, body: { data: toRecord(details) } }
  },
})

export const accountOperations = [getAccount, updateBillingDetails]

export async function readAccount({ caller, services }: Pick<Context, 'caller' | 'services'>): Promise<AccountRecord> {
  const [workspace, monitors] = await Promise.all([
    readWorkspace(services.database, caller.workspaceId),
    countMonitorsByBilling(services.database, caller.workspaceId),
  ])
  if (workspace === null) throw workspaceGone()
  const { slots: limit } = planOf(workspace, services.plans)
  return {
    plan: workspace.plan,
    plan_monitors: { limit, used: monitors.plan, free: Math.max(0, limit - monitors.plan) },
    paid_monitors: monitors.paid,
    credit_cents: workspace.creditCents,
    pricing: {
      currency: pricing.currency,
      price_per_location_cents: pricing.pricePerLocationCents,
      lifetime_price_per_location_cents: pricing.lifetimePricePerLocationCents,
      renewal_days: pricing.renewalDays,
      grace_days: pricing.graceDays,
      minimum_top_up_cents: pricing.minimumTopUpCents,
      payments_enabled: services.payments !== null,
      vat_included: pricing.isVatIncluded,
    },
    billing_details: toRecord(workspace.billingDetails),
  }
}

async function readVatId({ vatIds }: Context['services'], text: string): Promise<string> {
  const vatId = await vatIds.read(text)
  if (vatId !== null) return vatId
  throw invalidFields({
    billing_vat_id: ['Must be a VAT id of the EU. Check its prefix, such as BG, and its digits.'],
  })
}

/** A VAT id of one country proves nothing of a business in another. */
function assertOneCountry({ country, vatId }: BillingDetails): void {
  if (vatId === null || country === null || countryOfVatId(vatId) === vatTerritoryOf(country)) return
  throw invalidFields({ billing_vat_id: [`Does not belong to the billing_country ${country}.`] })
}

export function planOf(workspace: Workspace, plans: Context['services']['plans']): Plan {
  const plan = plans[workspace.plan]
  if (plan === undefined) throw new Error(`The plan ${workspace.plan} of workspace ${workspace.id} is not configured.`)
  return plan
}

function toRecord(details: BillingDetails): BillingDetailsRecord {
  return {
    billing_name: details.name,
    billing_address: details.address,
    billing_country: details.country,
    billing_vat_id: details.vatId,
  }
}
