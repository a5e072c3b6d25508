import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { ensureOperatorToken, readOperatorToken } from './operator-token.ts'

describe("the operator's token", () => {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-operator-'))
  after(() => rmSync(folder, { recursive: true, force: true }))

  it('is made once, for its owner alone, in a folder that is made with it', () => {
    const made = join(folder, 'deep', 'down')
    assert.equal(readOperatorToken(made), null)
    ensureOperatorToken(made)
    const token = readOperatorToken(made)
    assert.match(token ?? '', /^[\w-]{43}$/)
    assert.equal(statSync(join(made, 'operator.token')).mode & 0o777, 0o600)
    ensureOperatorToken(made)
    assert.equal(readOperatorToken(made), token)
  })

  it('is none where nothing can be written, or the file is empty', () => {
    const file = join(folder, 'file')
    writeFileSync(file, '')
    ensureOperatorToken(file)
    assert.equal(readOperatorToken(file), null)
    writeFileSync(join(folder, 'operator.token'), '\n')
    assert.equal(readOperatorToken(folder), null)
  })
})
