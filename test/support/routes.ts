import type { Hop, Route } from '#core/incidents/route.ts'

/** A router that answered all probes, but for what the test says. */
export function testHop(ttl: number, parts: Partial<Hop> = {}): Hop {
  return { ttl, address: `198.51.100.${ttl}`, sent: 3, received: 3, best_ms: ttl, median_ms: ttl + 0.5, ...parts }
}

/** The way to a target behind two routers, but for what the test says. */
export function testRoute(parts: Partial<Route> = {}): Route {
  return {
    address: '203.0.113.7',
    end: 'reached',
    end_reason: null,
    end_code: null,
    hops: [testHop(1), testHop(2), testHop(3, { address: '203.0.113.7' })],
    ...parts,
  }
}
