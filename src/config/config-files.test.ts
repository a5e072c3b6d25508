import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { withFiles } from './config-files.ts'
import { ConfigError, readConfig } from './config.ts'

const folder = mkdtempSync(join(tmpdir(), 'perigee-config-'))
after(() => rmSync(folder, { recursive: true, force: true }))

function fileOf(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    readConfig(environment)
    return []
  } catch (error) {
    assert.ok(error instanceof ConfigError)
    return error.problems
  }
}

const key = Buffer.alloc(32, 7)

describe('secrets in files', () => {
  it('are read in place of their variable, without the line end', () => {
    const { secretKey, metricsToken, unknownVariables } = readConfig({
      PERIGEE_SECRET_KEY_FILE: fileOf('key', `${key.toString('base64')}\n`),
      PERIGEE_METRICS_TOKEN_FILE: fileOf('token', 'sixteen-or-more-characters\r\n'),
    })
    assert.deepEqual(secretKey, key)
    assert.equal(metricsToken, 'sixteen-or-more-characters')
    assert.deepEqual(unknownVariables, [])
  })

  it('keep the spaces that are theirs', () => {
    const secrets = new Set(['PERIGEE_OWNER_PASSWORD'])
    const { given } = withFiles({ PERIGEE_OWNER_PASSWORD_FILE: fileOf('spaces', ' pass word \n') }, secrets)
    assert.deepEqual(given, { PERIGEE_OWNER_PASSWORD: ' pass word ' })
  })

  it('are not shown when they make no sense', () => {
    const [problem = '', ...more] = problemsOf({ PERIGEE_SECRET_KEY_FILE: fileOf('bad', 'hush-hush\n') })
    assert.match(problem, /^PERIGEE_SECRET_KEY must be 32 bytes in base64.* it is 9 characters that are not shown\.$/)
    assert.deepEqual(more, [])
  })

  it('are a problem each where they cannot be read, are empty, too long, or given twice', () => {
    const missing = join(folder, 'missing')
    const empty = fileOf('empty', '\n')
    const long = fileOf('long', 'x'.repeat(65_537))
    const whole = fileOf('whole', key.toString('base64'))
    assert.deepEqual(
      problemsOf({
        PERIGEE_DATABASE_URL_FILE: missing,
        PERIGEE_METRICS_TOKEN_FILE: empty,
        PERIGEE_SMTP_URL_FILE: long,
        PERIGEE_SECRET_KEY_FILE: whole,
        PERIGEE_SECRET_KEY: key.toString('base64'),
      }),
      [
        `PERIGEE_DATABASE_URL_FILE: "${missing}" cannot be read (ENOENT).`,
        `PERIGEE_METRICS_TOKEN_FILE: "${empty}" is empty.`,
        `PERIGEE_SMTP_URL_FILE: "${long}" is longer than 65536 bytes.`,
        'PERIGEE_SECRET_KEY and PERIGEE_SECRET_KEY_FILE are both set. Set only one of them.',
      ],
    )
  })

  it('are for secrets alone', () => {
    const file = fileOf('host', '127.0.0.1')
    assert.deepEqual(readConfig({ PERIGEE_HOST_FILE: file }).unknownVariables, ['PERIGEE_HOST_FILE'])
  })
})
