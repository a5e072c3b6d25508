import { findKeys } from '#app/secret-keys.ts'
import type { Config } from '#config/config.ts'
import type { Database } from '#store/database/database.ts'
import { createSecrets, keyIdOf, type KeyIdentities } from '#store/database/secrets.ts'
import { readCurrentKey, readKeyChanges } from '#store/installation/secret-keys.ts'
import { countSealed, type SealedCount } from '#store/installation/sealed-counts.ts'

/** A key of the installation, by its id. */
export type KeyState = {
  id: string
  /** `lost`: it encrypts values, and neither the installation nor this configuration has it. */
  state: 'current' | 'next' | 'former' | 'lost'
  /** Whether this configuration has the key. */
  is_known: boolean
  /** How many stored values it encrypts, by column. */
  columns: Record<string, number>
  values: number
}

/** The current key first. */
export async function readKeyStates(database: Database, config: Config): Promise<KeyState[]> {
  const held = findKeys(config)
  const known = held === null ? null : createSecrets(held).identities
  const current = keyIdOf(await readCurrentKey(database))
  const inUse = (await readKeyChanges(database))?.inUse ?? []
  const counts = await countSealed(database)
  const stateOf = stateBy({ current, known, former: [...inUse, ...(known?.former ?? [])].map(keyIdOf) })
  const ids = new Set([
    current,
    ...inUse.map(keyIdOf),
    ...(known?.known ?? []).map(keyIdOf),
    ...counts.map(({ keyId }) => keyId),
  ])
  return Array.from(ids, (id) => ({
    id,
    state: stateOf(id),
    is_known: known?.known.some((identity) => keyIdOf(identity) === id) ?? false,
    ...valuesOf(counts.filter(({ keyId }) => keyId === id)),
  }))
}

type Known = { current: string; former: readonly string[]; known: KeyIdentities | null }

function stateBy({ current, former, known }: Known): (id: string) => KeyState['state'] {
  const configured = new Set((known?.known ?? []).map(keyIdOf))
  return (id) => {
    if (id === current) return 'current'
    if (former.includes(id)) return 'former'
    // A key that a data folder already has, and that its service has not taken over yet, is the next one as well.
    return configured.has(id) ? 'next' : 'lost'
  }
}

function valuesOf(counts: readonly SealedCount[]): Pick<KeyState, 'columns' | 'values'> {
  return {
    columns: Object.fromEntries(counts.map(({ column, values }) => [column, values])),
    values: counts.reduce((sum, { values }) => sum + values, 0),
  }
}
