import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { objectsSchema, readObjects } from './kubernetes-objects.ts'

function found(...items: unknown[]): [urls: Record<string, unknown>, leftOut: string[]] {
  const { proposals, leftOut } = readObjects(objectsSchema.parse({ apiVersion: 'v1', kind: 'List', items }))
  return [
    Object.fromEntries(proposals.map(({ key, fields }) => [key, fields['url']])),
    leftOut.map(({ origin, message }) => `${origin}: ${message}`),
  ]
}

function object(kind: string, spec: object, annotations?: Record<string, string>) {
  return {
    kind,
    metadata: { name: 'web', namespace: 'shop', uid: 'x', ...(annotations && { annotations }) },
    spec,
    status: {},
  }
}

const rule = (host: string | undefined, ...paths: string[]) => ({
  ...(host === undefined ? {} : { host }),
  http: { paths: paths.map((path) => ({ path, pathType: 'Prefix', backend: {} })) },
})
const gateway = {
  kind: 'Gateway',
  metadata: { name: 'front', namespace: 'edge' },
  spec: {
    listeners: [
      { name: 'plain', protocol: 'HTTP', port: 80 },
      { name: 'tls', protocol: 'HTTPS', port: 443 },
    ],
  },
}
const route = (sectionName?: string) =>
  object('HTTPRoute', {
    parentRefs: [{ name: 'front', namespace: 'edge', ...(sectionName && { sectionName }) }],
    hostnames: ['a.example'],
    rules: [{ matches: [{ path: { type: 'PathPrefix', value: '/api' } }] }],
  })

describe('objects of Kubernetes', () => {
  it('are at most 5,000, and more are told', () => {
    const many = Array.from({ length: 5_001 }, () => object('ConfigMap', {}))
    assert.deepEqual(found(...many.slice(1)), [{}, []])
    assert.deepEqual(found(...many), [{}, ['kubernetes: There are 5001 objects, but only 5000 are read.']])
  })

  it('say by an Ingress which hosts it serves, and whether by TLS', () => {
    const spec = {
      tls: [{ hosts: ['a.example', '*.wild.example'], secretName: 'x' }],
      rules: [rule('a.example', '/', '/x'), rule('b.example', '/y', '/y/z'), rule('c.wild.example', '/(.*)')],
    }
    assert.deepEqual(found(object('Ingress', spec)), [
      {
        'shop-a.example': 'https://a.example/',
        'shop-b.example-y': 'http://b.example/y',
        'shop-c.wild.example': 'https://c.wild.example/',
      },
      [],
    ])
  })

  it('are told of a name that is no host by its first 80 letters', () => {
    const [, told] = found(object('Ingress', { rules: [rule(`*.${'a'.repeat(100)}`, '/')] }))
    assert.deepEqual(told, [`Ingress shop/web: "*.${'a'.repeat(78)}" is no host that can be asked for.`])
  })

  it('name no target by a wildcard, or without a host', () => {
    const spec = { rules: [rule('*.example', '/'), rule(undefined, '/')] }
    assert.deepEqual(found(object('Ingress', spec)), [
      {},
      ['Ingress shop/web: "*.example" is no host that can be asked for.', 'Ingress shop/web: It names no host.'],
    ])
  })

  it('say by an HTTPRoute and its Gateway how it is asked', () => {
    assert.deepEqual(found(gateway, route('tls')), [{ 'shop-a.example-api': 'https://a.example/api' }, []])
    assert.deepEqual(found(gateway, route('plain')), [{ 'shop-a.example-api': 'http://a.example/api' }, []])
    assert.deepEqual(found(gateway, route()), [{ 'shop-a.example-api': 'https://a.example/api' }, []])
    const { proposals } = readObjects(objectsSchema.parse(route('plain')))
    assert.equal(proposals[0]?.because, 'its hostname; HTTPS, as its Gateway is not given')
  })

  it('say by annotations what else is watched, and what is not', () => {
    const service = object(
      'Service',
      { type: 'LoadBalancer' },
      { 'perigee.url': 'db.example:5432', 'perigee.kind': 'tcp' },
    )
    assert.deepEqual(found(service), [{ 'shop-web': 'db.example:5432' }, []])
    const ingress = object('Ingress', { rules: [rule('*.example', '/')] }, { 'perigee.enable': 'false' })
    assert.deepEqual(found(ingress), [{}, []])
  })

  it('say nothing by a spec of another form', () => {
    assert.deepEqual(found(object('Ingress', { rules: 'x' })), [
      {},
      ['Ingress shop/web: Its spec is not that of networking.k8s.io/v1.'],
    ])
    assert.equal(objectsSchema.safeParse({ kind: 'List' }).success, false)
    assert.equal(objectsSchema.safeParse(null).success, false)
  })
})
