import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Hono } from 'hono'
import { z } from 'zod'
import { toolsetNames } from '#core/toolsets.ts'
import type { HttpEnv } from '#http/environment.ts'
import { operations } from '#operations/index.ts'
import { createEntrance, type EntranceOptions } from './entrance.ts'
import { placesOf } from './places.ts'

const publicUrl = 'https://up.example.com'
const usual: EntranceOptions = {
  publicUrl,
  version: '1.2.3',
  operations,
  securityContact: 'mailto:security@example.com',
  now: () => new Date('2026-11-27T21:30:00Z'),
}

function entrance(changes: Partial<EntranceOptions> = {}): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>()
  app.route('/', createEntrance({ ...usual, ...changes }))
  app.get('/', (context) => context.html('<!doctype html>', 200, { Vary: 'Accept-Encoding' }))
  return app
}

async function ask(path: string, headers: Record<string, string> = {}, app = entrance()): Promise<Response> {
  return app.request(path, { headers }, { address: '192.0.2.1' })
}

async function textOf(path: string, headers: Record<string, string> = {}): Promise<string> {
  return (await ask(path, headers)).text()
}

describe('the bare address', () => {
  const cases: [accept: string | null, type: string][] = [
    [null, 'text/html; charset=UTF-8'],
    ['*/*', 'text/html; charset=UTF-8'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'text/html; charset=UTF-8'],
    ['application/json', 'application/json; charset=utf-8'],
    ['application/json, text/html;q=0.5', 'application/json; charset=utf-8'],
    ['text/markdown', 'text/markdown; charset=utf-8'],
    ['text/markdown, application/json;q=0.9, */*;q=0.1', 'text/markdown; charset=utf-8'],
    ['application/json;q=0', 'text/html; charset=UTF-8'],
    ['image/png', 'text/html; charset=UTF-8'],
    ['not a type;;;', 'text/html; charset=UTF-8'],
  ]
  for (const [accept, type] of cases)
    it(`is ${type} for ${accept ?? 'no word of what is wanted'}`, async () => {
      const { status, headers } = await ask('/', accept === null ? {} : { Accept: accept })
      assert.deepEqual([status, headers.get('content-type')], [200, type])
      assert.match(headers.get('vary') ?? '', /(?:^|, )Accept(?:,|$)/)
      assert.match(headers.get('link') ?? '', /<https:\/\/up\.example\.com\/openapi\.json>; rel="service-desc"/)
    })

  it('lists the same addresses as JSON and as Markdown', async () => {
    const { links, version } = z
      .object({ version: z.string(), links: z.record(z.string(), z.url()) })
      .parse(JSON.parse(await textOf('/', { Accept: 'application/json' })))
    assert.equal(version, '1.2.3')
    const markdown = await textOf('/', { Accept: 'text/markdown' })
    const listed = Array.from(markdown.matchAll(/^- \[.+?\]\((.+?)\): ./gm), ([, url]) => url)
    assert.deepEqual(listed, Object.values(links))
    assert.deepEqual(
      listed,
      placesOf(publicUrl).map(({ url }) => url),
    )
    assert.equal(await textOf('/llms.txt'), markdown)
  })

  it('names the parts of the MCP endpoint', async () => {
    const markdown = await textOf('/llms.txt')
    for (const name of toolsetNames) assert.ok(markdown.includes(`/mcp/${name}`), name)
  })

  it('takes few words', async () => {
    for (const type of ['application/json', 'text/markdown']) {
      const { length } = await textOf('/', { Accept: type })
      assert.ok(length < 2_500, `${length} characters`)
    }
  })
})

describe('documents for programs', () => {
  const types: [path: string, type: string][] = [
    ['/llms.txt', 'text/markdown; charset=utf-8'],
    ['/robots.txt', 'text/plain; charset=utf-8'],
    ['/.well-known/api-catalog', 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'],
    ['/.well-known/ai-catalog.json', 'application/ai-catalog+json'],
    ['/.well-known/security.txt', 'text/plain; charset=utf-8'],
    ['/mcp/server-card', 'application/mcp-server-card+json'],
    ['/skills/prove-the-fix.md', 'text/markdown; charset=utf-8'],
  ]
  for (const [path, type] of types)
    it(`are at ${path}, for pages of every origin, and are not sent twice`, async () => {
      const { status, headers } = await ask(path)
      assert.deepEqual([status, headers.get('content-type')], [200, type])
      assert.deepEqual(
        [headers.get('access-control-allow-origin'), headers.get('cache-control')],
        ['*', 'public, max-age=300'],
      )
      const again = await ask(path, { 'If-None-Match': headers.get('etag') ?? '' })
      assert.deepEqual([again.status, await again.text(), again.headers.get('etag')], [304, '', headers.get('etag')])
      assert.equal((await ask(path, { 'If-None-Match': '"another"' })).status, 200)
    })

  it('name the document and the page of each API', async () => {
    const target = z.object({ href: z.url(), type: z.string(), title: z.string() })
    const relations = z.object({
      anchor: z.url(),
      'service-desc': z.array(target).min(1),
      'service-doc': z.array(target).optional(),
      help: z.array(target).min(1),
    })
    const { linkset } = z
      .strictObject({ linkset: z.array(relations.strict()) })
      .parse(JSON.parse(await textOf('/.well-known/api-catalog')))
    assert.deepEqual(
      linkset.map((api) => [
        api.anchor,
        api['service-desc'].map(({ href }) => href),
        api['service-doc']?.map(({ href }) => href),
      ]),
      [
        [`${publicUrl}/api/v1`, [`${publicUrl}/openapi.json`, `${publicUrl}/openapi.md`], [`${publicUrl}/reference`]],
        [`${publicUrl}/mcp`, [`${publicUrl}/mcp/server-card`], undefined],
      ],
    )
    assert.match(
      (await ask('/.well-known/api-catalog')).headers.get('link') ?? '',
      /<https:\/\/up\.example\.com\/\.well-known\/api-catalog>; rel="api-catalog"/,
    )
  })

  it('lead from the catalogue of a domain to the card of the server', async () => {
    const { entries } = z
      .object({
        specVersion: z.literal('1.0'),
        entries: z.tuple([z.strictObject({ identifier: z.string(), type: z.string(), url: z.url() })]),
      })
      .parse(JSON.parse(await textOf('/.well-known/ai-catalog.json')))
    assert.deepEqual(entries, [
      {
        identifier: 'urn:air:up.example.com:mcp:perigee',
        type: 'application/mcp-server-card+json',
        url: `${publicUrl}/mcp/server-card`,
      },
    ])
  })

  const inputSchema = z.strictObject({
    description: z.string(),
    isRequired: z.literal(true),
    choices: z.array(z.string()),
  })
  const remoteSchema = z.strictObject({
    type: z.literal('streamable-http'),
    url: z.string().regex(/^https?:\/\/[^\s]+$/),
    headers: z.array(
      z.strictObject({ name: z.string(), description: z.string(), isRequired: z.boolean(), isSecret: z.boolean() }),
    ),
  })
  /** The rules of its schema.ts, of which this knows those that the card uses. */
  const cardSchema = z.strictObject({
    $schema: z.literal('https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json'),
    name: z
      .string()
      .max(200)
      .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
    version: z.string().max(255),
    title: z.string().max(100),
    description: z.string().max(100),
    websiteUrl: z.url(),
    remotes: z.tuple([remoteSchema, remoteSchema.extend({ variables: z.strictObject({ toolset: inputSchema }) })]),
  })
  const names: [publicUrl: string, name: string][] = [
    [publicUrl, 'com.example.up/perigee'],
    ['http://localhost:3000', 'localhost/perigee'],
    ['http://192.0.2.7:3000', '192.0.2.7/perigee'],
    ['http://[2001:db8::1]:3000', '2001db81/perigee'],
  ]
  for (const [url, name] of names)
    it(`have a card for ${url} that keeps to its schema`, async () => {
      const response = await ask('/mcp/server-card', {}, entrance({ publicUrl: url }))
      const card = cardSchema.parse(await response.json())
      const [whole, part] = card.remotes
      assert.deepEqual(
        [card.name, card.version, whole.url, part.url, part.variables.toolset.choices],
        [name, '1.2.3', `${url}/mcp`, `${url}/mcp/{toolset}`, toolsetNames],
      )
    })

  it('ask crawlers to leave addresses alone that count as calls, and let them read the document', async () => {
    const robots = await textOf('/robots.txt')
    assert.match(robots, /^User-agent: \*$/m)
    for (const path of ['/ping/', '/api/', '/auth/']) assert.match(robots, new RegExp(`^Disallow: ${path}$`, 'm'))
    assert.match(robots, /^Allow: \/api\/v1\/openapi\.json$/m)
  })

  it('say where weaknesses are reported, if the operator has named a place', async () => {
    assert.equal(
      await textOf('/.well-known/security.txt'),
      'Contact: mailto:security@example.com\nExpires: 2027-02-25T00:00:00.000Z\nPreferred-Languages: en\n' +
        `Canonical: ${publicUrl}/.well-known/security.txt\n`,
    )
    assert.equal((await ask('/.well-known/security.txt', {}, entrance({ securityContact: null }))).status, 404)
  })
})
