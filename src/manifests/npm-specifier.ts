import type { Mention } from './manifest.ts'

/** Code of the project itself, or packages from outside npm's registry. */
const local = /^(?:file|link|portal|workspace|exec|jsr):/i

/**
 * The package of a dependency by its name and its specifier: a range, an alias (`npm:string-width@^4.2.0`), or an
 * address. Null where the specifier says that it is no package of the registry.
 */
export function npmMention(name: string, specifier: string, version: string | null): Mention | null {
  if (local.test(specifier)) return null
  return { ecosystem: 'npm', name: aliasTarget(specifier) ?? name, version }
}

/** Name and reference of `name@reference`, where the name may begin with an `@`; null without a reference. */
export function splitDescriptor(text: string): { name: string; reference: string } | null {
  const at = text.indexOf('@', 1)
  return at === -1 ? null : { name: text.slice(0, at), reference: text.slice(at + 1) }
}

/** The only version that a specifier admits; npm reads `1.2` and `~1.2.3` as ranges. */
export function pinnedVersion(specifier: string): string | null {
  const behind = specifier.startsWith('npm:') ? specifier.slice(4) : specifier
  const range = aliasTarget(specifier) === null ? behind : (splitDescriptor(behind)?.reference ?? '')
  return /^\s*=?\s*v?(\d+\.\d+\.\d+(?:-[\w.-]+)?(?:\+[\w.-]+)?)\s*$/.exec(range)?.[1] ?? null
}

function aliasTarget(specifier: string): string | null {
  if (!specifier.startsWith('npm:')) return null
  const target = specifier.slice(4)
  if (/^[\d^~<>=*v]/.test(target)) return null
  return splitDescriptor(target)?.name ?? target
}
