import type { Database, Reader } from '#store/database/database.ts'

export type AskedVatId = { workspaceId: string; vatId: string }

/** How long an answer counts, and how soon the authorities are asked again when they gave none. */
const answerHours = 7 * 24
const retryHours = 1

/**
 * The VAT id whose confirmation has been due for longest, or null. It is noted as asked at once, so that no other
 * process asks too, and one that dies is not asked about for ever.
 */
export async function claimVatId({ pool }: Pick<Database, 'pool'>, now: Date): Promise<AskedVatId | null> {
  const { rows } = await pool.query<AskedVatId>(claimStatement, [now, answerHours, retryHours])
  return rows[0] ?? null
}

/** Drops the answer where the workspace has another id by now. */
export async function setVatIdAnswer(
  reader: Reader,
  { workspaceId, vatId, isConfirmed }: AskedVatId & { isConfirmed: boolean },
): Promise<void> {
  await reader.query
    .updateTable('workspaces')
    .set({ vat_confirmed: isConfirmed })
    .where('id', '=', workspaceId)
    .where('billing_vat_id', '=', vatId)
    .execute()
}

const claimStatement = `
update workspaces
set vat_asked_at = $1
where id = (
  select id
  from workspaces
  where billing_vat_id is not null
    and closed_at is null
    and (
      vat_asked_at is null
      or vat_asked_at <= $1::timestamptz
        - case when vat_confirmed is null then $3::integer else $2::integer end * interval '1 hour'
    )
  order by vat_asked_at nulls first
  limit 1
  for no key update skip locked
)
returning id as "workspaceId", billing_vat_id as "vatId"`
