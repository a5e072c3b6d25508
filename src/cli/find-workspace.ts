import type { Reader } from '#store/database/database.ts'
import { readSetting } from '#store/installation/settings.ts'
import { StartError } from '#store/database/start-error.ts'
import { type Workspace, listWorkspaces } from '#store/workspaces/workspaces.ts'

/** The workspace of this id or name; the owner's when neither is given. */
export async function findWorkspace(reader: Reader, wanted: string | null): Promise<Workspace> {
  const workspaces = await listWorkspaces(reader)
  const key = wanted ?? (await ownerId(reader))
  const found = workspaces.filter(({ id, name }) => id === key.toLowerCase() || name === key)
  const [first, second] = found
  if (first === undefined)
    throw new StartError(`There is no workspace ${JSON.stringify(key)}. List them with "perigee workspace list".`)
  if (second !== undefined)
    throw new StartError(
      `${found.length} workspaces are named ${JSON.stringify(key)}. Give one of their ids: ${found.map(({ id }) => id).join(', ')}.`,
    )
  return first
}

async function ownerId(reader: Reader): Promise<string> {
  const id = await readSetting(reader, 'owner_workspace')
  if (typeof id !== 'string')
    throw new StartError(
      'There is no workspace yet. Start Perigee once, or create one with "perigee workspace create".',
    )
  return id
}
