import { createHash } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'

export type Migration = {
  number: number
  file: string
  /** A release that knows this migration can work with the schema. */
  compatibleFrom: number
  statements: string
  checksum: string
}

export const ownMigrations = new URL('../migrations/', import.meta.url)

/** Files named 0001-spine.sql whose first line says from which migration on a release can work with the schema. */
export function readMigrations(folder = ownMigrations): Migration[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .toSorted()
    .map((file) => {
      const statements = readFileSync(new URL(file, folder), 'utf8')
      const number = /^(\d{4})-[a-z0-9-]+\.sql$/.exec(file)?.[1]
      const compatibleFrom = /^-- compatible_from: (\d+)\n/.exec(statements)?.[1]
      if (number === undefined || compatibleFrom === undefined)
        throw new Error(`The migration ${file} lacks its number or its "-- compatible_from:" line.`)
      const checksum = createHash('sha256').update(statements).digest('hex')
      return { number: Number(number), file, compatibleFrom: Number(compatibleFrom), statements, checksum }
    })
}
