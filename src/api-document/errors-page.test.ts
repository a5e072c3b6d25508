import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { errorWords } from '#core/language/error-words.ts'
import { createErrorsPage } from './errors-page.ts'

describe('GET /errors', () => {
  it('has one place for every code, where its type leads', async () => {
    const page = createErrorsPage()
    const answer = await page.request('/errors')
    assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'text/html; charset=utf-8'])
    const text = await answer.text()
    const places = Array.from(text.matchAll(/<section class="operation" id="(\w+)">/g), ([, id]) => id)
    assert.deepEqual(places, Object.keys(errorWords))
    assert.match(
      text,
      /<p><code>missing_api_key<\/code><\/p><p>No token was sent\. Send one in <code>X-API-Key<\/code>;/,
    )
    const again = await page.request('/errors', { headers: { 'If-None-Match': answer.headers.get('etag') ?? '' } })
    assert.deepEqual([again.status, await again.text()], [304, ''])
  })
})

describe('docs/errors.md', () => {
  it('says the same of every code', () => {
    const rows = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .flatMap((line) => [line.split('|').map((cell) => cell.trim())])
      .filter(([, code]) => code !== '`error`')
      .map(([, code = '', title, meaning]) => [code.replaceAll('`', ''), { title, meaning }])
    assert.deepEqual(Object.fromEntries(rows), errorWords)
  })
})
