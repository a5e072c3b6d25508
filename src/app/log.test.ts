import assert from 'node:assert/strict'
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { z } from 'zod'
import { createLog } from './log.ts'

const folder = mkdtempSync(join(tmpdir(), 'perigee-log-'))
after(() => rmSync(folder, { recursive: true }))

const line = z.looseObject({ level: z.string(), time: z.iso.datetime(), msg: z.string() })

describe('createLog', () => {
  it('writes JSON lines of its level and above', () => {
    const file = join(folder, 'levels')
    const log = createLog({ level: 'warn', fileDescriptor: openSync(file, 'a') })
    log.debug('one')
    log.info('two')
    log.warn('three', { count: 3 })
    log.error('four')
    const lines = readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((text) => line.parse(JSON.parse(text)))
    assert.deepEqual(
      lines.map(({ level, msg }) => [level, msg]),
      [
        ['warn', 'three'],
        ['error', 'four'],
      ],
    )
    assert.equal(lines[0]?.['count'], 3)
  })

  it('writes errors with their cause', () => {
    const file = join(folder, 'errors')
    const log = createLog({ level: 'error', fileDescriptor: openSync(file, 'a') })
    log.error('failed', { error: new Error('outer', { cause: new Error('inner') }) })
    const [text = ''] = readFileSync(file, 'utf8').split('\n')
    const { error } = z
      .looseObject({
        error: z.looseObject({ message: z.string(), stack: z.string(), cause: z.looseObject({ message: z.string() }) }),
      })
      .parse(JSON.parse(text))
    assert.deepEqual([error.message, error.cause.message], ['outer', 'inner'])
  })
})
