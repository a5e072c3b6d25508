import type { Net } from '#net/net.ts'
import { createRdapSource } from './rdap-source.ts'
import { type LookUp, type RegistrationSource, stepMs } from './registration.ts'
import { createTurns } from './registry-turns.ts'
import { createWhoisSource } from './whois-source.ts'

/** A registry that has many domains of ours is asked four times a second, and by no queue that is longer than this. */
const pace = { spacingMs: 250, maxWaitMs: stepMs }

/** RDAP first, and WHOIS where RDAP is missing, fails, or does not tell what matters. Ends within a minute. */
export function createRegistrationSource(net: Net): RegistrationSource {
  const turns = createTurns(pace, nowMs)
  const askRdap = createRdapSource({ net, turns, nowMs })
  const askWhois = createWhoisSource({ net, turns })
  return async (domain) => {
    const rdap = await askRdap(domain)
    if (rdap?.ok === true && rdap.registration.expiresAt !== null) return rdap
    return better(rdap, await askWhois(domain))
  }
}

function nowMs(): number {
  return performance.now()
}

/**
 * Registries that leave the date out of RDAP may have it in WHOIS; and a domain that WHOIS knows is registered, even
 * where RDAP answers with 404.
 */
function better(rdap: LookUp | null, whois: LookUp): LookUp {
  if (rdap === null) return whois
  if (!rdap.ok) return whois.ok ? whois : { ok: false, problem: `${rdap.problem}; ${whois.problem}` }
  if (!whois.ok || !whois.registration.isRegistered) return rdap
  if (!rdap.registration.isRegistered) return whois
  const { expiresAt } = whois.registration
  return { ...rdap, registration: { ...rdap.registration, expiresAt } }
}
