import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { boundLog } from './embedded-log.ts'

const folder = mkdtempSync(join(tmpdir(), 'perigee-log-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const [most, more] = [4 * 1024 * 1024, 4 * 1024 * 1024 + 1]

function logOf(name: string, bytes: number): string {
  const file = join(folder, name)
  writeFileSync(file, Buffer.alloc(bytes, 'x'))
  return file
}

describe('the log of the server', () => {
  it('is cut when it is long, and its older part is kept', () => {
    const long = logOf('long.log', more)
    boundLog(long)
    assert.deepEqual([statSync(long).size, statSync(`${long}.1`).size], [0, more])
    const short = logOf('short.log', most)
    boundLog(short)
    assert.deepEqual([statSync(short).size, existsSync(`${short}.1`)], [most, false])
    boundLog(join(folder, 'none.log'))
  })

  it('stays as it is where no older part can be written', () => {
    const log = logOf('kept.log', more)
    mkdirSync(`${log}.1`)
    boundLog(log)
    assert.equal(statSync(log).size, more)
  })
})
