import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { readContainers } from './docker-containers.ts'

type Case = {
  what: string
  labels?: Record<string, string>
  ports?: { IP?: string; PublicPort?: number; Type: string }[]
  host?: string
  /** Keys and what they watch. */
  finds?: Record<string, string>
  leavesOut?: RegExp[]
}

const cases: Case[] = [
  { what: 'nothing in what says nothing', labels: { maintainer: 'us' } },
  {
    what: 'a label with an address',
    labels: { 'perigee.url': 'https://a.example' },
    finds: { web: 'https://a.example' },
  },
  {
    what: 'several in one container',
    labels: { 'perigee.url': 'https://a.example', 'perigee.db.url': 'a.example:5432', 'perigee.db.kind': 'tcp' },
    finds: { web: 'https://a.example', 'web-db': 'a.example:5432' },
  },
  {
    what: 'no name without an address',
    labels: { 'perigee.db.kind': 'tcp' },
    leavesOut: [/^perigee\.db\.url is missing/],
  },
  { what: 'nothing that is switched off', labels: { 'perigee.enable': 'false', caddy: 'a.example' } },
  {
    what: 'labels that it does not know',
    labels: { 'perigee.': 'x', 'perigee.Url': 'y' },
    leavesOut: [/^perigee\. is no label/, /^perigee\.Url is no label/],
  },
  {
    what: 'a key of its own',
    labels: { 'perigee.url': 'https://a.example', 'perigee.key': 'front' },
    finds: { front: 'https://a.example' },
  },
  {
    what: 'hosts of a rule of Traefik',
    labels: {
      'traefik.http.routers.shop.rule': 'Host(`Shop.example`, `www.shop.example`) && PathPrefix(`/x`)',
      'traefik.http.routers.shop.tls.certresolver': 'le',
    },
    finds: { 'shop.example-x': 'https://shop.example/x', 'www.shop.example-x': 'https://www.shop.example/x' },
  },
  {
    what: 'rules of Traefik 3, at the root where there are several paths',
    labels: {
      'traefik.http.routers.a.rule': 'Host("a.example") && (Path("/b") || Path("/c"))',
      'traefik.http.routers.b.rule': 'Host(`b.example`) && !Host(`c.example`)',
      'traefik.http.routers.b.entrypoints': 'web,websecure',
    },
    finds: { 'a.example': 'http://a.example/', 'b.example': 'https://b.example/' },
  },
  {
    what: 'no host in expressions',
    labels: { 'traefik.http.routers.a.rule': 'HostRegexp(`.+`)' },
    leavesOut: [/names no host/],
  },
  {
    what: 'nothing that Traefik does not serve',
    labels: { 'traefik.enable': 'false', 'traefik.http.routers.a.rule': 'Host(`a.example`)' },
  },
  {
    what: 'sites of Caddy',
    labels: {
      caddy: 'a.example, http://b.example:80 d.example/shop',
      caddy_1: '(snippet)',
      caddy_2: '*.c.example',
      'caddy.reverse_proxy': 'x',
    },
    finds: {
      'a.example': 'https://a.example/',
      'b.example': 'http://b.example/',
      'd.example-shop': 'https://d.example/shop',
    },
    leavesOut: [/^caddy_2: "\*\.c\.example" is no host/],
  },
  {
    what: 'fields that hold for a route',
    labels: { caddy: 'a.example', 'perigee.interval_seconds': '30', 'perigee.tags': '[shop]' },
    finds: { 'a.example': 'https://a.example/' },
  },
  { what: 'no ports unless it is told their host', ports: [{ PublicPort: 80, Type: 'tcp' }] },
  {
    what: 'ports that other machines reach, each once',
    ports: [
      { IP: '0.0.0.0', PublicPort: 5432, Type: 'tcp' },
      { IP: '::', PublicPort: 5432, Type: 'tcp' },
      { IP: '127.0.0.1', PublicPort: 6000, Type: 'tcp' },
      { PublicPort: 53, Type: 'udp' },
      { Type: 'tcp' },
    ],
    host: '192.0.2.1',
    finds: { 'web-5432': '192.0.2.1:5432' },
  },
]

/** How many monitors a rule and a site of so many characters make. */
function proposedBy(length: number): number {
  const caddy = 'a.example'.padEnd(length)
  const rule = 'Host(`b.example`)'.padEnd(length)
  const labels = { caddy, 'traefik.http.routers.b.rule': rule }
  return readContainers([{ Names: ['/web'], Labels: labels, Ports: [] }], null).proposals.length
}

describe('containers', () => {
  for (const { what, labels = {}, ports = [], host = null, finds = {}, leavesOut = [] } of cases)
    it(`say ${what}`, () => {
      const { proposals, leftOut } = readContainers([{ Names: ['/web'], Labels: labels, Ports: ports }], host)
      assert.deepEqual(Object.fromEntries(proposals.map(({ key, fields }) => [key, fields['url']])), finds)
      assert.equal(leftOut.length, leavesOut.length, JSON.stringify(leftOut))
      for (const [at, pattern] of leavesOut.entries()) assert.match(leftOut[at]?.message ?? '', pattern)
    })

  it('have rules and sites of 4,000 characters at most', () => {
    assert.deepEqual([proposedBy(4000), proposedBy(4001)], [2, 0])
  })

  it('are one target for all replicas of a service', () => {
    const labels = {
      'com.docker.compose.project': 'shop',
      'com.docker.compose.service': 'web',
      'perigee.url': 'https://a.example',
    }
    const replicas = ['/shop-web-1', '/shop-web-2'].map((name) => ({ Names: [name], Labels: labels, Ports: null }))
    const { proposals, leftOut } = readContainers(replicas, null)
    assert.deepEqual(
      [proposals.map(({ key, origin }) => [key, origin]), leftOut],
      [[['shop-web', 'container shop-web-1']], []],
    )
  })

  it('cannot have one key for two targets', () => {
    const both = ['https://a.example', 'https://b.example'].map((url) => ({
      Names: ['/web'],
      Labels: { 'perigee.url': url },
    }))
    const { proposals, leftOut } = readContainers(both, null)
    assert.equal(proposals.length, 1)
    assert.match(leftOut[0]?.message ?? '', /^Would have the same key web as container web\. Give it a name/)
  })

  it('have values of YAML where they look like it, and no variables', () => {
    const labels = {
      'perigee.url': 'https://a.example/${file:/etc/passwd}',
      'perigee.interval_seconds': '30',
      'perigee.keyword': '"200"',
      'perigee.tags': '[shop, "${HOME}"]',
      'perigee.name': 'Shop: the front',
      'perigee.request_headers': '{x-a: b}',
    }
    const { proposals } = readContainers([{ Names: ['/web'], Labels: labels }], null)
    assert.deepEqual(proposals[0]?.fields, {
      name: 'Shop: the front',
      url: 'https://a.example/$${file:/etc/passwd}',
      interval_seconds: 30,
      keyword: '200',
      tags: ['shop', '$${HOME}'],
      request_headers: { 'x-a': 'b' },
    })
  })

  it('are read whatever their labels say', () => {
    const name = fc.oneof(
      fc.constantFrom('perigee.url', 'perigee.x.url', 'perigee.tags', 'caddy', 'traefik.http.routers.a.rule'),
      fc.string(),
    )
    const value = fc.oneof(
      fc.string(),
      fc.constantFrom('[', '{a: b', 'Host(`a`', 'Host(`a`)Host(', '"', '!!x', '&a [*a]'),
    )
    fc.assert(
      fc.property(fc.array(fc.dictionary(name, value), { maxLength: 4 }), (all) => {
        const { proposals } = readContainers(
          all.map((labels) => ({ Names: [], Labels: labels })),
          null,
        )
        assert.equal(new Set(proposals.map(({ key }) => key)).size, proposals.length)
      }),
      { numRuns: 500 },
    )
  })
})
