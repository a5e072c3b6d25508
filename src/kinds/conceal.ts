import type { KindName } from '#core/monitors/kind-traits.ts'
import { isInternalAddress } from '#core/language/ip-address.ts'
import type { Verdict } from '#core/results/result.ts'
import type { AnyKind } from './kind.ts'

type Kinds = Readonly<Record<KindName, AnyKind>>

/**
 * For installations that strangers use: the kinds that tell what name servers answered, without addresses inside. Where
 * the operator's resolvers know names of the operator's own network, a stranger could read its map from them.
 */
export function withoutInternalAddresses(kinds: Kinds): Kinds {
  return { ...kinds, dns: concealing(kinds.dns), blacklist: concealing(kinds.blacklist) }
}

function concealing(kind: AnyKind): AnyKind {
  return {
    ...kind,
    check: async (configuration, net, signal) => {
      const verdict = await kind.check(configuration, net, signal)
      return concealed(verdict, new Set([configuration.url, ...Object.values(configuration.options)]))
    },
  }
}

/** What the customer `named` is no secret. */
function concealed(verdict: Verdict, named: ReadonlySet<unknown>): Verdict {
  const conceal = (text: string): string =>
    text.replaceAll(/[\dA-Fa-f:.]{2,45}/g, (word) =>
      isInternalAddress(word) && !named.has(word) ? 'a private address' : word,
    )
  const details = Object.entries(verdict.details).map(([name, value]) => [name, inTexts(value, conceal)])
  const error = verdict.error === null ? null : conceal(verdict.error)
  return { ...verdict, error, details: Object.fromEntries(details) }
}

function inTexts(value: unknown, conceal: (text: string) => string): unknown {
  if (typeof value === 'string') return conceal(value)
  if (Array.isArray(value)) return value.map((each) => inTexts(each, conceal))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, inTexts(member, conceal)]))
}
