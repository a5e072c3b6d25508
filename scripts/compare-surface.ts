// Whether another checkout shows the same to its users: `npm run surface -- ../other` starts both, each on a new
// database, and compares the OpenAPI document, the MCP tools and the schema of the database. Descriptions are left out.
import { createHash } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startEmbedded } from '#store/embedded/embedded.ts'
import { readSurface, type Surface } from './surface/read-surface.ts'

const [other] = process.argv.slice(2)
if (other === undefined) {
  console.error('Name the folder of another checkout, with its packages installed: npm run surface -- ../other')
  process.exit(2)
}
const here = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'perigee-surface-'))
// The PostgreSQL of a root user runs as another one, who has to pass through.
chmodSync(folder, 0o711)
try {
  const embedded = await startEmbedded({ folder: join(folder, 'postgres'), settings: { fsync: 'off' } })
  try {
    const theirs = await readSurface({ checkout: resolve(other), database: 'theirs', embedded, folder })
    const ours = await readSurface({ checkout: here, database: 'ours', embedded, folder })
    process.exitCode = compare(theirs, ours) ? 0 : 1
  } finally {
    await embedded.stop()
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function compare(theirs: Surface, ours: Surface): boolean {
  const same = (['openapi', 'tools', 'schema'] as const).map((part) => {
    const isSame = theirs[part] === ours[part]
    const hash = createHash('sha256').update(ours[part]).digest('hex').slice(0, 16)
    console.log(
      `${part.padEnd(8)} ${isSame ? 'the same' : 'DIFFERS'}  ${ours[part].length} characters, sha256 ${hash}…`,
    )
    if (!isSame) console.log(firstDifference(theirs[part].split('\n'), ours[part].split('\n')))
    return isSame
  })
  return same.every(Boolean)
}

function firstDifference(theirs: readonly string[], ours: readonly string[]): string {
  const at = ours.findIndex((line, index) => line !== theirs[index])
  const line = at === -1 ? ours.length : at
  return `  line ${line + 1}\n  there: ${theirs[line] ?? '(ends)'}\n  here:  ${ours[line] ?? '(ends)'}`
}
