// Containers as the API of Docker's engine lists them (GET /containers/json, version 1.41), which Podman answers too.
import { z } from 'zod'
import { type Labels, proposalsOf } from './labels.ts'
import { type Discovered, distinct, type LeftOut, maxObjects, plainHost, plainPath, type Route } from './proposal.ts'

export const containersSchema = z.array(
  z.object({
    Names: z.array(z.string()),
    Labels: z.record(z.string(), z.string()).nullish(),
    Ports: z.array(z.object({ IP: z.string().nullish(), PublicPort: z.int().nullish(), Type: z.string() })).nullish(),
  }),
)

export type Container = z.infer<typeof containersSchema>[number]

/**
 * What containers are reached at: by labels of ours, rules of Traefik, labels of caddy-docker-proxy, and published ports
 * where `host` says at which name or address these are.
 */
export function readContainers(containers: readonly Container[], host: string | null): Discovered {
  const found = containers.slice(0, maxObjects).map((container) => readContainer(container, host))
  const leftOut: LeftOut[] = found.flatMap((each) => each.leftOut)
  if (containers.length > maxObjects)
    leftOut.push({
      origin: 'docker',
      message: `Docker lists ${containers.length} containers, but only ${maxObjects} are read.`,
    })
  return distinct({ proposals: found.flatMap(({ proposals }) => proposals), leftOut })
}

function readContainer(container: Container, host: string | null): Discovered {
  const own = container.Names[0]?.replace(/^\//, '') ?? ''
  const labels = container.Labels ?? {}
  const origin = `container ${own}`
  // Replicas of a service have names of their own, and are one target.
  const project = labels['com.docker.compose.project'] ?? ''
  const service = labels['com.docker.compose.service'] ?? labels['com.docker.swarm.service.name'] ?? own
  const leftOut: LeftOut[] = []
  const routes = [...traefikRoutes(labels, origin, leftOut), ...caddyRoutes(labels, origin, leftOut)]
  const named = proposalsOf({ origin, name: service, scope: project, labels, routes })
  const isSilent = routes.length === 0 && named.proposals.length === 0 && labels['perigee.enable'] !== 'false'
  const ports = isSilent && host !== null ? publishedPorts(container) : []
  const open = ports.map((port) => ({
    key: `${project === '' ? '' : `${project}-`}${service}-${port}`.toLowerCase(),
    origin,
    because: `published port ${port}`,
    fields: { name: `${service} ${port}`, kind: 'tcp', url: `${host}:${port}` },
  }))
  return { proposals: [...named.proposals, ...open], leftOut: [...leftOut, ...named.leftOut] }
}

/** Those that other machines reach, each once: Docker lists them for IPv4 and IPv6. */
function publishedPorts({ Ports: ports }: Container): number[] {
  const open = (ports ?? []).filter(({ IP: ip, Type: type }) => type === 'tcp' && !/^(?:127\.|::1$)/.test(ip ?? ''))
  return [...new Set(open.flatMap(({ PublicPort: port }) => port ?? []))].toSorted((one, other) => one - other)
}

const maxRuleLength = 4_000

/** Routers of Traefik (https://doc.traefik.io/traefik/routing/routers/): hosts and, if there is just one, the path. */
function traefikRoutes(labels: Labels, origin: string, leftOut: LeftOut[]): Route[] {
  if (labels['traefik.enable'] === 'false') return []
  return Object.entries(labels).flatMap(([label, rule]) => {
    const [, router] = /^traefik\.http\.routers\.([\w@-]{1,100})\.rule$/.exec(label) ?? []
    if (router === undefined || rule.length > maxRuleLength) return []
    const hosts = [...rule.matchAll(/(!?)\bHost\(([^()]*)\)/g)]
      .filter(([, not]) => not === '')
      .flatMap(([, , list = '']) => quotedIn(list))
      .flatMap((host) => plainHost(host) ?? [])
    if (hosts.length === 0) leftOut.push({ origin, message: `${label} names no host that can be asked for.` })
    const paths = [...rule.matchAll(/\bPath(?:Prefix)?\(([^()]*)\)/g)].flatMap(([, list = '']) => quotedIn(list))
    const [path = '/'] = paths
    const isSecure = isTraefikSecure(labels, `traefik.http.routers.${router}`)
    return hosts.map((host) => ({ host, path: paths.length > 1 ? '/' : plainPath(path), isSecure, because: label }))
  })
}

function isTraefikSecure(labels: Labels, router: string): boolean {
  if (labels[`${router}.tls`] !== undefined) return labels[`${router}.tls`] !== 'false'
  if (Object.keys(labels).some((label) => label.startsWith(`${router}.tls.`))) return true
  return (labels[`${router}.entrypoints`] ?? '').split(',').some((name) => ['websecure', 'https'].includes(name.trim()))
}

function quotedIn(list: string): string[] {
  return [...list.matchAll(/[`"]([^`"]*)[`"]/g)].map(([, text = '']) => text)
}

/** Site addresses of caddy-docker-proxy (https://github.com/lucaslorentz/caddy-docker-proxy): `caddy`, `caddy_0`, … */
function caddyRoutes(labels: Labels, origin: string, leftOut: LeftOut[]): Route[] {
  return Object.entries(labels).flatMap(([label, sites]) => {
    if (!/^caddy(?:_\d{1,4})?$/.test(label) || sites.length > maxRuleLength) return []
    return sites.split(/[\s,]+/).flatMap((site): Route[] => {
      const [, scheme, host = '', path = ''] = /^(?:(https?):\/\/)?([^/:]+)(?::\d{1,5})?(\/.*)?$/.exec(site) ?? []
      const plain = plainHost(host)
      if (plain !== null)
        return [{ host: plain, path: plainPath(path || '/'), isSecure: scheme !== 'http', because: label }]
      // A snippet in parentheses is no site.
      if (site !== '' && !site.startsWith('('))
        leftOut.push({ origin, message: `${label}: "${site.slice(0, 80)}" is no host that can be asked for.` })
      return []
    })
  })
}
