// What is asked of each surface.
import { nameOf } from './names.ts'
import type { Asked, Calling, Tally } from './caller.ts'
import type { World } from './world.ts'

export const surfaceNames = ['reads', 'writes', 'calls', 'pages'] as const
export type SurfaceName = (typeof surfaceNames)[number]

/** So many connections keep the surface busy. */
export type Surface = Pick<Calling, 'asked' | 'headers' | 'isWriting' | 'connections'>

const usualConnections = 32
/** A call is answered when it is stored, for which it waits for others for a quarter of a second. */
const callConnections = 256

export function surfacesOf(world: World): Record<SurfaceName, Surface> {
  const { service, token, checked, written, called, pages } = world
  const api = `${service.url}/api/v1/monitors`
  const withToken = { 'x-api-key': token }
  const some = checked.slice(0, 250).map((id) => `${api}/${id}`)
  return {
    // A page of the list after four monitors each.
    reads: {
      asked: ask(
        'GET',
        some.map((url, index) => (index % 5 === 0 ? `${api}?limit=50` : url)),
      ),
      headers: withToken,
      isWriting: false,
      connections: usualConnections,
    },
    writes: {
      asked: ask(
        'PATCH',
        written.map((id) => `${api}/${id}`),
      ),
      headers: withToken,
      isWriting: true,
      connections: usualConnections,
    },
    calls: {
      asked: ask(
        'POST',
        called.map((each) => `${service.url}/ping/${each.token}`),
      ),
      headers: {},
      isWriting: false,
      connections: callConnections,
    },
    pages: {
      asked: ask(
        'GET',
        pages.map((slug) => `${service.url}/status/${slug}`),
      ),
      headers: {},
      isWriting: false,
      connections: usualConnections,
    },
  }
}

function ask(method: Asked['method'], urls: readonly string[]): Asked[] {
  return urls.map((url) => ({ method, url }))
}

/** What became of the requests to an address, over all runs. */
export type Taken = { taken: number; last: string | null; isLastKnown: boolean }

export function addTaken(all: Map<string, Taken>, asked: readonly Asked[], { known }: Tally): void {
  for (const [index, { taken, unknown, last, lastUnknown }] of known.entries()) {
    const url = asked[index]?.url ?? ''
    const before = all.get(url) ?? { taken: 0, last: null, isLastKnown: true }
    all.set(url, {
      taken: before.taken + taken,
      last: taken > 0 ? nameOf(last) : before.last,
      isLastKnown: taken + unknown > 0 ? lastUnknown <= last : before.isLastKnown,
    })
  }
}
