import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { ConfigError, readConfig } from './config.ts'

const [one, two, three] = [1, 2, 3].map((byte) => Buffer.alloc(32, byte))
const text = (key: Buffer | undefined): string => key?.toString('base64') ?? assert.fail()

describe('secret keys', () => {
  it('are a current one, a next one and former ones', () => {
    const { secretKey, nextSecretKey, formerSecretKeys } = readConfig({
      PERIGEE_SECRET_KEY: text(one),
      PERIGEE_NEXT_SECRET_KEY: text(two),
      PERIGEE_FORMER_SECRET_KEYS: `${text(three)}, ${text(two)}`,
    })
    assert.deepEqual(
      { secretKey, nextSecretKey, formerSecretKeys },
      {
        secretKey: one,
        nextSecretKey: two,
        formerSecretKeys: [three, two],
      },
    )
  })

  it('may each be in a file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'perigee-keys-'))
    after(() => rmSync(folder, { recursive: true }))
    const fileOf = (name: string, content: string): string => {
      writeFileSync(join(folder, name), `${content}\n`)
      return join(folder, name)
    }
    const { nextSecretKey, formerSecretKeys } = readConfig({
      PERIGEE_SECRET_KEY: text(one),
      PERIGEE_NEXT_SECRET_KEY_FILE: fileOf('next', text(two)),
      PERIGEE_FORMER_SECRET_KEYS_FILE: fileOf('former', `${text(three)},${text(two)}`),
    })
    assert.deepEqual([nextSecretKey, formerSecretKeys], [two, [three, two]])
  })

  const refused: [environment: Record<string, string>, problem: RegExp][] = [
    [{ PERIGEE_NEXT_SECRET_KEY: text(two) }, /^PERIGEE_NEXT_SECRET_KEY needs PERIGEE_SECRET_KEY\.$/],
    [{ PERIGEE_FORMER_SECRET_KEYS: text(two) }, /^PERIGEE_FORMER_SECRET_KEYS needs PERIGEE_SECRET_KEY\.$/],
    [
      { PERIGEE_SECRET_KEY: text(one), PERIGEE_FORMER_SECRET_KEYS: `${text(two)},hunter2` },
      /^PERIGEE_FORMER_SECRET_KEYS must be a list of keys .* it is \d+ characters that are not shown\.$/,
    ],
  ]
  for (const [environment, problem] of refused)
    it(`are refused with ${problem.source.slice(1, 60)}`, () => {
      assert.throws(
        () => readConfig(environment),
        (error) => error instanceof ConfigError && error.problems.length === 1 && problem.test(error.message),
      )
    })
})
