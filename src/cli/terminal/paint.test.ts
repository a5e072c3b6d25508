import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { freePort } from '../../../test/support/free-port.ts'
import { spawnPerigee } from '../../../test/support/perigee-process.ts'
import { columnsOf, paintChanges, paintFor } from './paint.ts'

describe('lines of changes', () => {
  it('are coloured by their signs, and others are not', () =>
    assert.equal(
      paintChanges('+ new\n~ changed\n    a: 1 -> 2\n- gone\n-1 is no sign\n\n', (style, text) =>
        style === null ? text : `<${String(style)}>${text}`,
      ),
      '<green>+ new\n<yellow>~ changed\n    a: 1 -> 2\n<red>- gone\n-1 is no sign\n\n',
    ))
})

describe('what is no stream of the process', () => {
  it('has no colours and no width', () => {
    const out = { write: () => {} }
    assert.equal(paintFor(out)('red', 'down'), 'down')
    assert.equal(columnsOf(out), null)
  })
})

describe('a state', () => {
  const red = '\u001b[31mdown'
  it('has its colour in a check of one target and in those of a project, where colours are forced', async (test) => {
    const folder = mkdtempSync(join(tmpdir(), 'perigee-paint-'))
    test.after(() => rmSync(folder, { recursive: true }))
    const url = `http://127.0.0.1:${await freePort()}/`
    const file = join(folder, 'a.yaml')
    writeFileSync(file, `project: a\nmonitors: [{key: a, name: A, url: "${url}"}]\n`)
    for (const args of [
      ['check', url],
      ['check', '-f', file],
    ])
      for (const [FORCE_COLOR, isRed] of [
        ['1', true],
        ['0', false],
      ] as const) {
        const perigee = spawnPerigee({ args, environment: { FORCE_COLOR } })
        assert.equal(await perigee.ended(), 1)
        assert.equal(perigee.stdout().includes(red), isRed)
        assert.equal(perigee.stdout().includes('\u001b'), isRed)
      }
  })
})
