// Looks for the route to a host by one way, and says what came of it. Run by test/peers/route-chain.test.ts in a
// network of its own.
import { createGuard } from '#net/dial/guard.ts'
import { createResolver } from '#net/dial/resolve.ts'
import { createTraffic } from '#net/ground/trace.ts'
import { createRouter } from '#net/route/route.ts'

const [kind, host = ''] = process.argv.slice(2)
const parts = { guard: createGuard('all'), resolver: createResolver(), traffic: createTraffic() }
const route = createRouter(parts, { ways: [kind === 'raw' ? 'raw' : 'datagram'] })
const outcome = await route({ host, timeoutMs: 20_000 }, new AbortController().signal)
process.stdout.write(JSON.stringify(outcome))
