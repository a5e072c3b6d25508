import type { JSONWebKeySet } from 'jose'
import { z } from 'zod'
import type { AgentIssuer } from '#core/people/agent.ts'
import { fail } from '#core/language/error.ts'
import type { Net } from '#net/net.ts'
import { OwnTrouble } from '#net/dial/own-trouble.ts'

/** The key sets of providers, each fetched when it is needed and kept for a while. */
export type IssuerKeys = {
  read: (issuer: AgentIssuer, now: Date) => Promise<JSONWebKeySet>
  /** For a key that was not in the set: fetches the set again, at most every 30 seconds. Null when there is none. */
  refresh: (issuer: AgentIssuer, now: Date) => Promise<JSONWebKeySet | null>
}

const freshMs = 10 * 60_000
/** How long the last known keys of a provider count while it cannot be reached. */
const usableMs = 60 * 60_000
const cooldownMs = 30_000
const timeoutMs = 5_000
const maxBytes = 256 * 1024
const maxKeys = 100

const keySetSchema = z.object({ keys: z.array(z.looseObject({ kty: z.string() })).max(maxKeys) })

type Known = { keys: JSONWebKeySet | null; fetchedAt: number; triedAt: number }

/** Only addresses of the configuration are fetched, through the guard like everything else. */
export function createIssuerKeys(net: Pick<Net, 'http'>): IssuerKeys {
  const known = new Map<string, Known>()
  const underway = new Map<string, Promise<JSONWebKeySet | null>>()

  return {
    read: async (issuer, now) => {
      const held = heldFor(issuer, now, freshMs)
      if (held !== null) return held
      const keys = isCoolingDown(issuer, now) ? null : await fetchOnce(issuer, now)
      const usable = keys ?? heldFor(issuer, now, usableMs)
      if (usable !== null) return usable
      throw fail(
        'temporarily_unavailable',
        `The keys of ${issuer.name} cannot be fetched right now. Try again later.`,
        {
          retryAfterSeconds: cooldownMs / 1000,
        },
      )
    },
    refresh: async (issuer, now) =>
      isCoolingDown(issuer, now) ? heldFor(issuer, now, usableMs) : fetchOnce(issuer, now),
  }

  function heldFor({ issuer }: AgentIssuer, now: Date, forMs: number): JSONWebKeySet | null {
    const held = known.get(issuer)
    return held !== undefined && now.getTime() - held.fetchedAt < forMs ? held.keys : null
  }

  function isCoolingDown({ issuer }: AgentIssuer, now: Date): boolean {
    const held = known.get(issuer)
    return held !== undefined && now.getTime() - held.triedAt < cooldownMs
  }

  /** Several requests at once share one fetch. */
  function fetchOnce(issuer: AgentIssuer, now: Date): Promise<JSONWebKeySet | null> {
    const running = underway.get(issuer.issuer)
    if (running !== undefined) return running
    const started = fetchKeys(net, issuer)
      .catch((error: unknown) => {
        if (error instanceof OwnTrouble) return null
        throw error
      })
      .then((keys) => {
        known.set(issuer.issuer, afterFetch(known.get(issuer.issuer), keys, now.getTime()))
        return keys
      })
      .finally(() => underway.delete(issuer.issuer))
    underway.set(issuer.issuer, started)
    return started
  }
}

/** What is known after a fetch; one that failed leaves what there was. */
function afterFetch(held: Known | undefined, keys: JSONWebKeySet | null, at: number): Known {
  if (keys !== null) return { keys, fetchedAt: at, triedAt: at }
  return { keys: held?.keys ?? null, fetchedAt: held?.fetchedAt ?? Number.NEGATIVE_INFINITY, triedAt: at }
}

/** Null where the answer is no key set. A redirect could lead to the keys of another issuer, so none is followed. */
async function fetchKeys(net: Pick<Net, 'http'>, { jwksUri }: AgentIssuer): Promise<JSONWebKeySet | null> {
  const request = {
    url: new URL(jwksUri),
    method: 'GET',
    headers: { accept: 'application/jwk-set+json, application/json' },
    body: null,
    maxRedirects: 0,
    headersOnly: false,
    maxBodyBytes: maxBytes,
    maxWireBytes: maxBytes,
    timeoutMs,
  }
  const outcome = await net.http(request, AbortSignal.timeout(timeoutMs))
  if (!outcome.ok || outcome.answer.status !== 200 || outcome.answer.isTruncated) return null
  return readKeySet(outcome.answer.body)
}

function readKeySet(body: Uint8Array): JSONWebKeySet | null {
  try {
    const parsed = keySetSchema.safeParse(JSON.parse(new TextDecoder().decode(body)))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}
