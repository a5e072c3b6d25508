import type { HostAndPort } from '#config/config-values.ts'
import { bad, type Found, good, notLookedAt, warning } from '#core/doctor-report.ts'
import { createResolver } from '#net/dial/resolve.ts'
import { rootServers } from '#net/ground/open-ground.ts'
import type { DoctorCheck, DoctorContext } from './doctor-check.ts'

const timeoutMs = 4_000

export const waysOut: DoctorCheck = {
  name: 'ways out',
  look: async (context, signal) => {
    const { referenceTargets, asksRootServers } = context.examined.config
    const targets = referenceTargets.length > 0 ? referenceTargets : asksRootServers ? rootServers : []
    if (targets.length === 0)
      return [
        notLookedAt(
          'targets',
          'PERIGEE_REFERENCE_TARGETS is not set, and PERIGEE_ROOT_SERVERS is off.',
          'Set PERIGEE_REFERENCE_TARGETS to hosts that always answer.',
        ),
      ]
    const located = (await Promise.all(targets.map((target) => locate(target, context)))).flat()
    const tried = await Promise.all(located.map((way) => tryWay(way, context, signal)))
    return judgeWays(tried)
  },
}

type Family = 'IPv4' | 'IPv6'
type Way = { target: string; port: number; address: string | null; family: Family | null }
/** `problem`: null where something answered. */
export type TriedWay = { target: string; family: Family | null; problem: string | null }

async function locate({ host, port }: HostAndPort, { examined }: DoctorContext): Promise<Way[]> {
  const target = `${host.includes(':') ? `[${host}]` : host}:${port}`
  if (/^[\d.]+$|:/.test(host)) return [{ target, port, address: host, family: familyOf(host) }]
  const { dnsServers } = examined.config
  const found = await createResolver(dnsServers.length === 0 ? {} : { servers: dnsServers }).resolve(host, {
    isFresh: true,
  })
  if (!found.ok) return [{ target, port, address: null, family: null }]
  const firsts = (['IPv4', 'IPv6'] as const).map((family) => found.addresses.find((each) => familyOf(each) === family))
  return firsts.flatMap((address) =>
    address === undefined ? [] : [{ target, port, address, family: familyOf(address) }],
  )
}

async function tryWay(
  { target, port, address, family }: Way,
  { net }: DoctorContext,
  signal: AbortSignal,
): Promise<TriedWay> {
  if (address === null) return { target, family, problem: 'its name has no address' }
  const until = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  const outcome = await net
    .tcp({ host: address, port, expectedText: null, maxBytes: 1, timeoutMs }, until)
    .catch((error: unknown) => ({ ok: false, failure: { code: 'own', message: String(error) } }) as const)
  // A refusal comes from the other end, which was reached.
  const isReached = outcome.ok || outcome.failure.code === 'connection_refused'
  return { target, family, problem: isReached ? null : outcome.failure.message }
}

function familyOf(address: string): Family {
  return address.includes(':') ? 'IPv6' : 'IPv4'
}

const advice =
  'Look at the routes, the firewall and the provider of this machine. While nothing answers, a location reports nothing.'

const otherAdvice =
  'Look at the routes and the firewall of this machine. Until then it cannot check targets that have only such addresses.'

export function judgeWays(tried: readonly TriedWay[]): Found[] {
  const unlocated = tried.filter(({ family }) => family === null)
  const works = (family: Family): boolean => tried.some((each) => each.family === family && each.problem === null)
  return [
    ...unlocated.map(({ target, problem }) =>
      warning(
        target,
        `${target} cannot be tried: ${problem ?? ''}.`,
        'Correct PERIGEE_REFERENCE_TARGETS, or see the check of the resolver.',
      ),
    ),
    judgeFamily('IPv4', tried, works('IPv6')),
    judgeFamily('IPv6', tried, works('IPv4')),
  ]
}

/** A machine with one of the two families can still check what has that one. */
function judgeFamily(family: Family, all: readonly TriedWay[], hasOther: boolean): Found {
  const tried = all.filter((each) => each.family === family)
  const failed = tried.filter(({ problem }) => problem !== null)
  if (tried.length === 0) return notLookedAt(family, `No target has an address of ${family}.`)
  if (failed.length === 0) return good(family, `Every target answers: ${tried.map(({ target }) => target).join(', ')}.`)
  const why = failed.map(({ target, problem }) => `${target} (${problem ?? ''})`).join(', ')
  if (failed.length < tried.length)
    return warning(family, `${failed.length} of ${tried.length} targets do not answer: ${why}.`, advice)
  const found = `No target answers: ${why}.`
  return hasOther ? warning(family, found, otherAdvice) : bad(family, found, advice)
}
