// Objects of Kubernetes as `kubectl get -o json` prints them: Ingress (networking.k8s.io/v1), HTTPRoute and Gateway
// (gateway.networking.k8s.io/v1), and what else has annotations of ours.
import { z } from 'zod'
import { proposalsOf } from './labels.ts'
import { type Discovered, distinct, type LeftOut, maxObjects, plainHost, plainPath, type Route } from './proposal.ts'

const texts = z.array(z.string()).nullish()

const ingressSchema = z.object({
  tls: z.array(z.object({ hosts: texts })).nullish(),
  rules: z
    .array(
      z.object({
        host: z.string().nullish(),
        http: z.object({ paths: z.array(z.object({ path: z.string().nullish() })).nullish() }).nullish(),
      }),
    )
    .nullish(),
})

const routeSchema = z.object({
  hostnames: texts,
  parentRefs: z
    .array(z.object({ name: z.string(), namespace: z.string().nullish(), sectionName: z.string().nullish() }))
    .nullish(),
  rules: z
    .array(
      z.object({
        matches: z
          .array(z.object({ path: z.object({ type: z.string().nullish(), value: z.string().nullish() }).nullish() }))
          .nullish(),
      }),
    )
    .nullish(),
})

const gatewaySchema = z.object({ listeners: z.array(z.object({ name: z.string(), protocol: z.string() })).nullish() })

const objectSchema = z.object({
  kind: z.string(),
  metadata: z.object({
    name: z.string(),
    namespace: z.string().nullish(),
    annotations: z.record(z.string(), z.string()).nullish(),
  }),
  spec: z.unknown().optional(),
})

type KubernetesObject = z.infer<typeof objectSchema>

/** One object, or a list of them. */
export const objectsSchema = z.union([
  z
    .object({ kind: z.templateLiteral([z.string(), 'List']), items: z.array(objectSchema) })
    .transform((list) => list.items),
  objectSchema.transform((object) => [object]),
])

/** What the objects are reached at. */
export function readObjects(objects: readonly KubernetesObject[]): Discovered {
  const read = objects.slice(0, maxObjects)
  const gateways = gatewaysOf(read)
  const found = read.map((object): Discovered => {
    const { kind, metadata } = object
    const scope = metadata.namespace ?? ''
    const origin = `${kind} ${scope === '' ? '' : `${scope}/`}${metadata.name}`
    const leftOut: LeftOut[] = []
    const routes = routesOf(object, gateways, (message) => leftOut.push({ origin, message }))
    const labels = metadata.annotations ?? {}
    const named = proposalsOf({ origin, name: metadata.name, scope, labels, routes })
    const isOff = labels['perigee.enable'] === 'false'
    return { proposals: named.proposals, leftOut: isOff ? [] : [...leftOut, ...named.leftOut] }
  })
  const leftOut = found.flatMap((each) => each.leftOut)
  if (objects.length > maxObjects)
    leftOut.push({
      origin: 'kubernetes',
      message: `There are ${objects.length} objects, but only ${maxObjects} are read.`,
    })
  return distinct({ proposals: found.flatMap(({ proposals }) => proposals), leftOut })
}

/** Protocols by namespace, name and listener of a Gateway. */
type Gateways = ReadonlyMap<string, ReadonlyMap<string, string>>
type Tell = (message: string) => void

function gatewaysOf(objects: readonly KubernetesObject[]): Gateways {
  return new Map(
    objects.flatMap(({ kind, metadata: { namespace, name }, spec }) => {
      const read = kind === 'Gateway' ? gatewaySchema.safeParse(spec) : null
      if (read?.success !== true) return []
      return [[`${namespace ?? ''}/${name}`, new Map(read.data.listeners?.map((each) => [each.name, each.protocol]))]]
    }),
  )
}

function routesOf({ kind, metadata, spec }: KubernetesObject, gateways: Gateways, tell: Tell): Route[] {
  if (kind === 'Ingress') {
    const ingress = ingressSchema.safeParse(spec)
    if (ingress.success) return ingressRoutes(ingress.data, tell)
    tell('Its spec is not that of networking.k8s.io/v1.')
  }
  if (kind === 'HTTPRoute') {
    const route = routeSchema.safeParse(spec)
    if (route.success) return httpRoutes(route.data, { namespace: metadata.namespace ?? '', gateways, tell })
    tell('Its spec is not that of gateway.networking.k8s.io/v1.')
  }
  return []
}

function ingressRoutes({ rules, tls }: z.infer<typeof ingressSchema>, tell: Tell): Route[] {
  return (rules ?? []).flatMap(({ host, http }): Route[] => {
    const plain = hostOf(host ?? null, tell)
    if (plain === null) return []
    const isSecure = (tls ?? []).some(({ hosts }) => hosts == null || hosts.length === 0 || hosts.some(covers(plain)))
    const paths = (http?.paths ?? []).map(({ path }) => path ?? '/')
    return [{ host: plain, path: shortest(paths), isSecure, because: 'its rule and its tls' }]
  })
}

/** A wildcard covers one label. */
function covers(host: string): (name: string) => boolean {
  return (name) => name.toLowerCase() === host || (name.startsWith('*.') && host.replace(/^[^.]*/, '*') === name)
}

type RouteAround = { namespace: string; gateways: Gateways; tell: Tell }

function httpRoutes(
  { hostnames, parentRefs, rules }: z.infer<typeof routeSchema>,
  { namespace, gateways, tell }: RouteAround,
): Route[] {
  const protocols = (parentRefs ?? []).flatMap((parent) => {
    const listeners = gateways.get(`${parent.namespace ?? namespace}/${parent.name}`)
    const all = [...(listeners ?? [])]
    return all.filter(([name]) => parent.sectionName == null || parent.sectionName === name).map(([, kind]) => kind)
  })
  const isKnown = protocols.length > 0
  const matches = (rules ?? []).flatMap((rule) => rule.matches ?? [])
  const paths = matches.map(({ path }) => (path?.type === 'RegularExpression' ? '/' : (path?.value ?? '/')))
  const because = isKnown ? 'its hostname and its Gateway' : 'its hostname; HTTPS, as its Gateway is not given'
  if ((hostnames ?? []).length === 0) hostOf(null, tell)
  return (hostnames ?? []).flatMap((name): Route[] => {
    const host = hostOf(name, tell)
    if (host === null) return []
    return [{ host, path: shortest(paths), isSecure: !isKnown || protocols.includes('HTTPS'), because }]
  })
}

/** Null, with a remark, for what is no host that can be asked for. */
function hostOf(name: string | null, tell: Tell): string | null {
  const host = name === null ? null : plainHost(name)
  if (host === null)
    tell(name === null ? 'It names no host.' : `"${name.slice(0, 80)}" is no host that can be asked for.`)
  return host
}

/** A path that leads furthest up is the one at which something answers that stands for the others. */
function shortest(paths: readonly string[]): string | null {
  const plain = paths.flatMap((path) => plainPath(path) ?? [])
  return plain.toSorted((one, other) => one.length - other.length)[0] ?? '/'
}
