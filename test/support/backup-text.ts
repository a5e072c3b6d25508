import assert from 'node:assert/strict'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { createZstdDecompress } from 'node:zlib'
import { openFrames } from '#store/backup/frames.ts'
import { spawnPerigee } from './perigee-process.ts'

/** What an open backup of a running service holds, which is written into the folder. */
export async function backupText(dataFolder: string, folder: string): Promise<string> {
  const file = join(folder, 'open.pgb')
  const taken = spawnPerigee({ args: ['backup', '--to', file], environment: { PERIGEE_DATA_DIR: dataFolder } })
  assert.equal(await taken.ended(), 0, taken.stderr())
  const decompress = createZstdDecompress()
  const whole = text(decompress)
  for await (const part of openFrames(createReadStream(file), null)) decompress.write(part)
  decompress.end()
  return whole
}
