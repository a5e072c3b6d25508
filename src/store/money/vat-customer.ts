import type { VatCustomer } from '#core/money/vat.ts'
import type { Reader } from '#store/database/database.ts'

/** The customer of a payment that arrives now. Throws when there is no such workspace. */
export async function readVatCustomer(reader: Reader, workspaceId: string): Promise<VatCustomer> {
  const row = await reader.query
    .selectFrom('workspaces')
    .select(['billing_country', 'billing_vat_id', 'vat_confirmed'])
    .where('id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  return { country: row.billing_country, vatId: row.billing_vat_id, isVatIdConfirmed: row.vat_confirmed }
}
