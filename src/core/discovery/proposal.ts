// What could be watched, as labels and routes of containers and of Kubernetes say it (docs/discovery.md).

/** A monitor that could be. `fields` are those of an entry of a project's file, without its key. */
export type Proposal = {
  key: string
  /** The object that has it, such as "container shop-web-1". */
  origin: string
  /** What of the object speaks for it, such as "label perigee.url". */
  because: string
  fields: Readonly<Record<string, unknown>>
}

/** Why something that looks like a target is not proposed. */
export type LeftOut = { origin: string; message: string }

export type Discovered = { proposals: readonly Proposal[]; leftOut: readonly LeftOut[] }

export const maxObjects = 5_000
export const maxProposals = 5_000

/** A route that is open to requests. `path` begins with a slash; null where it is no plain text. */
export type Route = { host: string; path: string | null; isSecure: boolean; because: string }

/** A host without a wildcard, in lower case; null for what is none. */
export function plainHost(text: string): string | null {
  const host = text.trim().toLowerCase().replace(/\.$/, '')
  return host.length <= 253 && /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/.test(host) ? host : null
}

/** The characters of a path that mean themselves in every router. */
export function plainPath(path: string): string | null {
  return path.length <= 500 && /^\/[A-Za-z0-9/_.~-]*$/.test(path) ? path : null
}

/** Keys are made of what stays the same when an object is made anew: names and hosts, not ids. */
export function keyOf(...parts: readonly string[]): string {
  return parts
    .filter((part) => part !== '')
    .join('-')
    .toLowerCase()
    .replaceAll(/[^a-z0-9_.]+/g, '-')
    .replaceAll(/^[-_.]+|-+$/g, '')
    .slice(0, 80)
}

/** One monitor of a route, at its root where its path is none that can be asked for. */
export function proposalOfRoute(route: Route, origin: string, scope = ''): Proposal {
  const path = route.path === null || route.path === '/' ? '' : route.path
  const place = `${route.host}${path}`
  return {
    key: keyOf(scope, place),
    origin,
    because: route.because,
    fields: { name: place, kind: 'http', url: `${route.isSecure ? 'https' : 'http'}://${route.host}${path || '/'}` },
  }
}

/**
 * Each target once: replicas of a container and rules that name one host twice are one monitor. What would have the key of
 * another target is left out and told, since keys say which monitor is which.
 */
export function distinct(found: Discovered): Discovered {
  const byKey = new Map<string, Proposal>()
  const leftOut = [...found.leftOut]
  for (const proposal of found.proposals) {
    const { key, origin, fields } = proposal
    const first = byKey.get(key)
    if (first === undefined) {
      if (byKey.size < maxProposals) byKey.set(key, proposal)
      else leftOut.push({ origin, message: `More than ${maxProposals} monitors are too many for one project.` })
    } else if (targetOf(first.fields) !== targetOf(fields))
      leftOut.push({
        origin,
        message: `Would have the same key ${key} as ${first.origin}. Give it a name: use perigee.<name>.url instead of perigee.url.`,
      })
  }
  return { proposals: [...byKey.values()], leftOut }
}

function targetOf({ kind, url }: Proposal['fields']): string {
  return JSON.stringify([kind ?? 'http', url])
}
