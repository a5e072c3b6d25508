import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openApiDocument } from '../../test/support/openapi.ts'
import { readDocument } from './reference-document.ts'
import { operationsOf } from './reference-operations.ts'
import { createShortForm, shortForm } from './short-form.ts'

const whole = JSON.stringify(openApiDocument())
const document = readDocument(whole)
const text = shortForm(document)
const lines = text.split('\n')

/** What the index and docs/api.md promise, with the usual estimate of four characters a token. */
const mostTokens = 5_000
const charactersPerToken = 4

describe('the API in short', () => {
  it('has less than 5,000 tokens', () => {
    const tokens = text.length / charactersPerToken
    assert.ok(tokens < mostTokens, `${tokens} tokens`)
    assert.ok(tokens > 2_000, `${tokens} tokens are too few for all of it`)
  })

  it('has every operation in a line of its own, and leaves to the index what only leads here', () => {
    for (const { method, path, operation } of operationsOf(document)) {
      const found = lines.filter(
        (line) => line.startsWith(`- ${method} ${path}`) && /^[:?]/.test(line.slice(`- ${method} ${path}`.length)),
      )
      assert.equal(found.length, operation.tags[0] === 'Discovery' ? 0 : 1, `${method} ${path}`)
      if (operation.tags[0] !== 'Discovery') assert.ok(found[0]?.includes(operation.summary), path)
    }
  })

  for (const line of [
    '- GET /incidents/{id}: Show an incident with its events.',
    '- GET /monitors/{id}/uptime?from&to: Show the uptime of a monitor for every UTC day of a range.',
    '- POST /monitors: Create a monitor. Body: MonitorInput. Also without a token.',
    '- DELETE /monitors/{id}/software/import?file*: Remove everything that a file imported.',
    '- POST /oauth2/revoke: End a token. Body: AgentRevocationInput.',
    '- OnCallOverrideInput: starts_at*, ends_at*, contact_id*',
    '- ReportInput: name*, period* (weekly|monthly), time_zone*, weekday, hour, monitor_ids, tags, objective, recipients*, enabled',
    '- ReportChange: all of ReportInput; each optional',
    '- SoftwareChange: version, ignored',
  ])
    it(`says "${line}"`, () => assert.ok(lines.includes(line)))

  it('names each body once, with the kinds that there are', () => {
    const bodies = lines.slice(lines.indexOf('## Bodies')).flatMap((line) => /^- (\w+): /.exec(line)?.[1] ?? [])
    assert.equal(new Set(bodies).size, bodies.length)
    const asked = new Set(Array.from(text.matchAll(/ Body: (\w+)\./g), ([, name]) => name))
    assert.deepEqual(new Set(bodies), asked)
    assert.match(text, /^- AlertChannelInput: name\*, kind\* \(email\|webhook\|/m)
    assert.match(text, /^- MonitorChange: all of MonitorInput; each optional but name\*$/m)
    assert.match(text, /^- AgentIdentityInput: type\* \(service_auth\), login_hint\*; or .+; or type\* \(anonymous\)$/m)
  })

  it('says below what its sections are served', () => {
    const below = text.split('\n## ').flatMap((section) => {
      const [, name, url] = /^(.+)\n\nBelow (.+):\n/.exec(section) ?? []
      return name === undefined ? [] : [[name, url]]
    })
    assert.deepEqual(below, [
      ['Tokens for agents', 'http://127.0.0.1:3000'],
      ['Single sign-on', 'http://127.0.0.1:3000'],
      ['Calls of jobs', 'http://127.0.0.1:3000'],
    ])
  })
})

describe('GET /openapi.md', () => {
  it('is for pages of every origin, and is sent again only when it changed', async () => {
    let source = whole
    const app = createShortForm({ openApi: () => Promise.resolve(source) })
    const first = await app.request('/openapi.md')
    assert.deepEqual([first.status, await first.text()], [200, text])
    assert.equal(first.headers.get('content-type'), 'text/markdown; charset=utf-8')
    assert.equal(first.headers.get('access-control-allow-origin'), '*')
    const etag = first.headers.get('etag') ?? ''
    const again = await app.request('/openapi.md', { headers: { 'If-None-Match': `W/${etag}` } })
    assert.deepEqual([again.status, await again.text()], [304, ''])
    source = whole.replaceAll('Delete a contact', 'Remove a contact')
    const changed = await app.request('/openapi.md', { headers: { 'If-None-Match': etag } })
    assert.equal(changed.status, 200)
    assert.match(await changed.text(), /DELETE \/alert-channels\/\{id\}: Remove a contact\./)
  })
})
