import { settingsBytesEach } from '#core/monitors/settings-size.ts'
import type { Transaction } from '#store/database/database.ts'

/** SQL of what the settings of the monitors `m` have beyond what each may have anyway; its index has the same number. */
export const bytesBeyondBasis = `coalesce(sum(m.settings_bytes - ${settingsBytesEach}), 0)::float8`
export const isBeyondBasis = `m.settings_bytes > ${settingsBytesEach}`

/** Of all monitors of a workspace but one. Its plan is held, so that two that grow at once see each other. */
export async function readBytesBeside(
  { client }: Transaction,
  { workspaceId, monitorId }: { workspaceId: string; monitorId: string },
): Promise<number> {
  const found = await client.query<{ bytes: number }>({
    name: 'settings_bytes_beside',
    text: `select ${bytesBeyondBasis} as bytes
    from monitors m
    where m.workspace_id = $1
      and m.id <> $2
      and ${isBeyondBasis}`,
    values: [workspaceId, monitorId],
  })
  return found.rows[0]?.bytes ?? 0
}
