// The secret keys of an embedded installation: `secret.key` has the current one, `former-secret.keys` those before it.
import { randomBytes } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { identityOf, keyIdOf, type SecretKeys } from '#store/database/secrets.ts'
import { StartError } from '#store/database/start-error.ts'
import { writeDurably } from './write-durably.ts'

export type FolderKeys = Required<Pick<SecretKeys, 'current' | 'former'>>

export const formerKeysName = 'former-secret.keys'

/** The keys that starts and changes have made there, or null; of a folder that another process may hold. */
export function readFolderKeys(path: string): FolderKeys | null {
  const current = readStoredKey(path)
  if (current === null) return null
  // A change that was broken off has noted the current one as a former one already.
  return { current, former: readFormerKeys(path).flatMap(({ key }) => (key.equals(current) ? [] : [key])) }
}

/** The current key alone. */
export function readStoredKey(path: string): Buffer | null {
  const file = keyFile(path)
  const stored = readIfThere(file)
  return stored === null ? null : keyOf(stored.trim(), file)
}

/** Gives a folder that has none a current key. */
export function storeKey(path: string, key: Buffer): void {
  writeDurably(keyFile(path), `${key.toString('base64')}\n`)
}

/** Gives a folder that was restored the keys of the original. */
export function storeFolderKeys(path: string, { current, former }: FolderKeys): void {
  if (former.length > 0)
    writeFormerKeys(
      path,
      former.map((key) => ({ key, note: '' })),
    )
  storeKey(path, current)
}

/** Makes a new key the current one. Each of the two files is written whole, and none of the keys is ever in neither. */
export function changeFolderKey(path: string, now: Date): FolderKeys {
  const keys = readFolderKeys(path)
  if (keys === null) throw new StartError(`There is no secret.key in ${path}.`)
  const others = readFormerKeys(path).filter(({ key }) => !key.equals(keys.current))
  writeFormerKeys(path, [{ key: keys.current, note: `current until ${now.toISOString()}` }, ...others])
  storeKey(path, randomBytes(32))
  return readFolderKeys(path) ?? keys
}

/** Takes away a former key, by its identity. */
export function dropFormerKey(path: string, identity: string): void {
  const left = readFormerKeys(path).filter(({ key }) => identityOf(key) !== identity)
  if (left.length > 0) writeFormerKeys(path, left)
  else rmSync(formerFile(path), { force: true })
}

type FormerKey = { key: Buffer; note: string }

const explanation = [
  '# Former secret keys of Perigee, the newest first. They open what they encrypted, and encrypt nothing.',
  '# Take none away by hand: "perigee keys retire" does, once nothing needs it.',
]

/** A key a line; what stands behind # is for people. */
function readFormerKeys(path: string): FormerKey[] {
  const file = formerFile(path)
  const lines = (readIfThere(file) ?? '').split('\n')
  return lines.flatMap((line) => {
    const [text = '', ...rest] = line.split('#')
    const note = rest
      .join('#')
      .trim()
      .replace(/^[0-9a-f]{8},? ?/, '')
    return text.trim() === '' ? [] : [{ key: keyOf(text.trim(), file), note }]
  })
}

function writeFormerKeys(path: string, keys: readonly FormerKey[]): void {
  const lines = keys.map(({ key, note }) => {
    const id = keyIdOf(identityOf(key))
    return `${key.toString('base64')} # ${note === '' ? id : `${id}, ${note}`}`
  })
  writeDurably(formerFile(path), `${[...explanation, ...lines].join('\n')}\n`)
}

function keyOf(text: string, file: string): Buffer {
  const key = Buffer.from(text, 'base64')
  if (key.length !== 32) throw new StartError(`${file} does not hold 32 bytes in base64. Restore it from a backup.`)
  return key
}

function keyFile(path: string): string {
  return join(path, 'secret.key')
}

function formerFile(path: string): string {
  return join(path, formerKeysName)
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}
