import type { ProbedKind } from '#core/monitors/kind-traits.ts'
import type { Verdict } from '#core/results/result.ts'
import { type LoadKind, loadOnce } from './kind.ts'

/** Whether a text is an address of a network that strangers have no part in. */
type IsInternal = (text: string) => boolean
type Kinds = Readonly<Record<ProbedKind, LoadKind>>

/**
 * For installations that strangers use: the kinds that tell what name servers answered, without addresses inside. Where
 * the operator's resolvers know names of the operator's own network, a stranger could read its map from them.
 */
export function withoutInternalAddresses(kinds: Kinds, isInternal: IsInternal): Kinds {
  return { ...kinds, dns: concealing(kinds.dns, isInternal), blacklist: concealing(kinds.blacklist, isInternal) }
}

function concealing(load: LoadKind, isInternal: IsInternal): LoadKind {
  return loadOnce(async () => {
    const { check, secretOptions } = await load()
    return {
      secretOptions,
      check: async (configuration, net, signal) => {
        const verdict = await check(configuration, net, signal)
        const named = new Set<unknown>([configuration.url, ...Object.values(configuration.options)])
        return concealed(verdict, (text) => isInternal(text) && !named.has(text))
      },
    }
  })
}

/** The verdict without addresses that are secret; one that the customer named is not. */
function concealed(verdict: Verdict, isSecret: IsInternal): Verdict {
  const conceal = (text: string): string =>
    text.replaceAll(/[\dA-Fa-f:.]{2,45}/g, (word) => (isSecret(word) ? 'a private address' : word))
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
