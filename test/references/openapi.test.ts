// The API's document, read by the checkers of its format and by the public client of payments.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import { Validator } from '@seriousme/openapi-schema-validator'
import { validate } from 'mppx/discovery'
import { openApiDocument } from '../support/openapi.ts'

const document = openApiDocument(['local', 'boston'])

describe('OpenAPI', () => {
  it('is valid for @seriousme/openapi-schema-validator', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(document))
    assert.ok(valid, JSON.stringify(errors, null, 2))
  })

  it('is valid for redocly', { timeout: 60_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'perigee-openapi-'))
    const file = join(folder, 'openapi.json')
    writeFileSync(file, JSON.stringify(document))
    const config = join(import.meta.dirname, 'redocly.yaml')
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
    const lint = promisify(execFile)('redocly', ['lint', file, '--config', config], { env, timeout: 55_000 })
    await assert.doesNotReject(lint)
    rmSync(folder, { recursive: true })
  })

  it('has no fault in what it says of payments to a directory of payable services', () => {
    assert.deepEqual(validate(document), [])
  })
})
