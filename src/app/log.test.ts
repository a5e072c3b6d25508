import assert from 'node:assert/strict'
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { z } from 'zod'
import { lineFields } from '#core/log-lines.ts'
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

  it('says in the lines of a request, a job and what is within it, what they are about', async () => {
    const file = join(folder, 'within')
    const log = createLog({ level: 'info', fileDescriptor: openSync(file, 'a') })
    const later = Promise.withResolvers<void>()
    const left: Promise<void>[] = []
    log.info('before')
    const done = log.within({ task: 'deliver', job_id: '7' }, async () => {
      await Promise.resolve()
      log.info('job')
      await log.within({ delivery_id: 'd1' }, async () => log.info('delivery', { attempt: 1 }))
      log.info('job again', { task: 'told' })
      left.push(later.promise.then(() => log.info('left behind')))
    })
    log.within({ request_id: 'r1' }, () => log.info('request'))
    await done
    later.resolve()
    await Promise.all(left)
    const lines = readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((text) => {
        const { level: _, time: __, msg, ...fields } = line.parse(JSON.parse(text))
        return [msg, fields]
      })
    assert.deepEqual(lines, [
      ['before', {}],
      ['request', { request_id: 'r1' }],
      ['job', { task: 'deliver', job_id: '7' }],
      ['delivery', { task: 'deliver', job_id: '7', delivery_id: 'd1', attempt: 1 }],
      ['job again', { task: 'told', job_id: '7' }],
      ['left behind', {}],
    ])
  })
})

describe('docs/operating.md', () => {
  it('lists what the lines of each kind are about', () => {
    const [, section = ''] = readFileSync(new URL('../../docs/operating.md', import.meta.url), 'utf8').split(
      '## What do the logs say?',
    )
    const rows = section.split('\n## ')[0]?.matchAll(/^\| (\w+) +\| `(\w+)` +\| (each|some) +\|/gm) ?? []
    assert.deepEqual(
      Array.from(rows, ([, kind, field, presence]) => [kind, field, presence]),
      Object.entries(lineFields).flatMap(([kind, fields]) =>
        Object.entries(fields).map(([field, presence]) => [kind, field, presence]),
      ),
    )
  })
})
