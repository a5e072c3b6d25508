import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates } from 'node:tls'
import { OwnTrouble } from '#net/dial/own-trouble.ts'

const prefix = 'perigee-git-'
/** No run takes so long, so the prober that made an older folder was killed. */
const abandonedMs = 3_600_000
export const authoritiesFile = 'authorities.pem'

/**
 * A folder of this run alone, readable only by this user, with the certificate authorities that every other check
 * trusts.
 */
export async function makeGitFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), prefix)).catch(noRoom)
  try {
    await writeFile(join(folder, authoritiesFile), getCACertificates('default').join('\n'))
    return folder
  } catch (error) {
    await removeGitFolder(folder)
    return noRoom(error)
  }
}

/** A folder that cannot be removed now is found by `removeAbandoned` later. */
export async function removeGitFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => {})
}

/** Removes folders that killed probers left. Removing those of other users fails, which is ignored. */
export async function removeAbandoned(now: Date): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => [])
  for (const name of names) {
    if (!name.startsWith(prefix)) continue
    const folder = join(tmpdir(), name)
    const found = await stat(folder).catch(() => null)
    if (found !== null && now.getTime() - found.mtimeMs > abandonedMs) await removeGitFolder(folder)
  }
}

function noRoom(error: unknown): never {
  const cause = error instanceof Error ? error : new Error(String(error))
  const code = 'code' in cause ? String(cause.code) : 'EUNKNOWN'
  throw new OwnTrouble(code, cause, `This machine has no room for repositories (${code}).`)
}
