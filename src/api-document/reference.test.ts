import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import { Parser } from 'htmlparser2'
import { operations } from '#operations/index.ts'
import { openApiDocument } from '../../test/support/openapi.ts'
import { describedBeside } from './beside/beside.ts'
import { readDocument } from './reference-document.ts'
import { curlOf, exampleOf } from './reference-examples.ts'
import { operationsOf } from './reference-operations.ts'
import { createReference, renderReference } from './reference.ts'

const text = JSON.stringify(openApiDocument())
const document = readDocument(text)
const page = renderReference(document)

function curlOfPath(path: string): string {
  return curlOf(document, operationsOf(document).find((each) => each.path === path) ?? assert.fail(path))
}

type Read = { ids: string[]; links: string[]; text: string; open: string[]; style: string }

/**
 * Reads the page as a browser would; `open` is left with the elements that are never closed or closed in the wrong
 * place.
 */
function read(html: string): Read {
  const found: Read = { ids: [], links: [], text: '', open: [], style: '' }
  const parser = new Parser({
    onopentag: (name, { id, href }) => {
      if (!['meta', 'br'].includes(name)) found.open.push(name)
      if (id !== undefined) found.ids.push(id)
      if (href !== undefined) found.links.push(href)
    },
    ontext: (part) => {
      if (found.open.at(-1) === 'style') found.style += part
      else found.text += part
    },
    onclosetag: (name, isImplied) => {
      assert.equal(isImplied && !['meta', 'br'].includes(name), false, `${name} is not closed`)
      if (found.open.at(-1) === name) found.open.pop()
    },
  })
  parser.end(html)
  return found
}

describe('the API reference', () => {
  const found = read(page)

  it('has every public operation and schema, each once, and no other', () => {
    const api = operations.filter(({ surface }) => surface !== 'console').map(({ name }) => name)
    const named = [...api, ...describedBeside('http://127.0.0.1:3000').map(({ operationId }) => operationId)]
    const schemas = Object.keys(document.components.schemas)
    const places = found.ids.filter((id) => !id.endsWith('-title') && id !== 'content')
    assert.deepEqual(places.toSorted(), [...named, ...schemas].toSorted())
    assert.equal(new Set(found.ids).size, found.ids.length)
  })

  it('is well-formed, and all its links lead somewhere', () => {
    assert.deepEqual(found.open, [])
    const ids = new Set(found.ids)
    const lost = found.links.filter((link) => link !== '/openapi.json' && !ids.has(link.slice(1)))
    assert.deepEqual(lost, [])
  })

  it('shows requests that the operations take', () => {
    for (const placed of operationsOf(document)) {
      if (placed.operation.servers !== undefined) continue
      const operation = operations.find(({ name }) => name === placed.operation.operationId)
      const schema = placed.operation.requestBody?.content['application/json']?.schema
      assert.equal(schema === undefined, operation?.body === undefined)
      if (schema !== undefined)
        assert.equal(operation?.body?.schema.safeParse(exampleOf(document, schema)).error?.message, undefined)
      const curl = curlOf(document, placed)
      assert.doesNotMatch(curl, /[{](?:id|\w+_id)[}]|undefined|\[object/)
      assert.ok(curl.includes('/api/v1/'))
    }
  })

  it('shows requests to what is beside the API, which need no token', () => {
    assert.equal(curlOfPath('/auth.md'), "curl 'http://127.0.0.1:3000/auth.md'")
    assert.match(curlOfPath('/ping/{token}'), /^curl 'http:\/\/127\.0\.0\.1:3000\/ping\/text'$/)
    const exchange = curlOfPath('/oauth2/token')
    assert.match(
      exchange,
      / -d 'grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer' \\\n {2}-d 'assertion=/,
    )
    assert.doesNotMatch(exchange, /X-API-Key/)
  })

  it('shows limits, choices and defaults', () => {
    for (const said of [
      '1 to 160 characters.',
      'One of GET, HEAD, POST',
      'array of Monitor',
      'uuid',
      'integer or null',
    ])
      assert.ok(found.text.includes(said), said)
  })

  it('shows what people wrote as text', () => {
    const bad = '<script>alert(1)</script> & "quotes" `<b>`'
    const given = { ...document, info: { ...document.info, title: bad, description: bad } }
    const shown = read(renderReference(given))
    assert.ok(shown.text.includes('<script>alert(1)</script> & "quotes" <b>'))
    assert.equal(shown.ids.length, found.ids.length)
  })

  it('refuses a document that is none of ours', () => {
    assert.throws(() => readDocument('{"openapi":"3.1.0"}'))
    assert.throws(() => readDocument('nothing'))
  })
})

describe('GET /reference', () => {
  it('is one page whose only style is allowed by its hash, asked for again only when it changed', async () => {
    let source = text
    const app = createReference({ openApi: () => Promise.resolve(source) })
    const first = await app.request('/reference')
    assert.equal(first.status, 200)
    assert.equal(first.headers.get('content-type'), 'text/html; charset=utf-8')
    const body = await first.text()
    const hash = createHash('sha256').update(read(body).style).digest('base64')
    const policy = first.headers.get('content-security-policy') ?? ''
    assert.ok(policy.includes(`style-src 'sha256-${hash}'`) && policy.includes("default-src 'none'"))
    assert.doesNotMatch(body, /<script|style=|https?:\/\/(?!127\.0\.0\.1|example\.com)[^"'\s<]*\.(?:js|css)/)
    const etag = first.headers.get('etag') ?? ''
    const again = await app.request('/reference', { headers: { 'If-None-Match': etag } })
    assert.deepEqual([again.status, await again.text()], [304, ''])
    source = JSON.stringify(openApiDocument(['local', 'oslo']))
    const changed = await app.request('/reference', { headers: { 'If-None-Match': etag } })
    assert.equal(changed.status, 200)
    assert.match(await changed.text(), /oslo/)
  })
})
