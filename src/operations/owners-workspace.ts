import type { Reader } from '#store/database/database.ts'
import { readSetting } from '#store/installation/settings.ts'

/** The operator owns the workspace that the installation began with; the owners of others are customers. */
export async function isOwnersWorkspace(reader: Reader, workspaceId: string): Promise<boolean> {
  return (await readSetting(reader, 'owner_workspace')) === workspaceId
}
