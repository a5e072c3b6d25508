import type { ProductKey } from '#core/software/software-name.ts'
import { composerKey } from './versions/composer.ts'
import { debianKey } from './versions/debian.ts'
import { gemKey } from './versions/gem.ts'
import { genericKey } from './versions/generic.ts'
import { mavenKey } from './versions/maven.ts'
import { pypiKey } from './versions/pypi.ts'
import { goKey, nugetKey, semanticKey } from './versions/semantic.ts'

export const versionSchemes = [
  'npm',
  'pypi',
  'gem',
  'maven',
  'nuget',
  'go',
  'composer',
  'cargo',
  'debian',
  'generic',
] as const
export type VersionScheme = (typeof versionSchemes)[number]

/**
 * A version after reading. Keys of one scheme compare by code units as the versions do; keys of two schemes cannot be
 * compared.
 */
export type ParsedVersion = { readonly text: string; readonly key: string }

export type VersionOrder = {
  /** Null where the text has no place in an order: a branch, `latest`, a range, a sentence. Never throws. */
  parse: (text: string) => ParsedVersion | null
  compare: typeof compareVersions
}

/** A longer text is no version. The limit is that of the database, and it bounds the time for reading one. */
export const maxVersionLength = 200

/**
 * The scheme of a product key. Plugins and themes, CPEs and plain products have no order of their own, so the generic
 * one applies.
 */
export function schemeOf(product: ProductKey): VersionScheme {
  const colon = product.indexOf(':')
  return colon === -1 ? 'generic' : (schemeOfPrefix.get(product.slice(0, colon)) ?? 'generic')
}

export function versionOrder(scheme: VersionScheme): VersionOrder {
  return orders[scheme]
}

/** Compares two versions of one scheme: -1, 0 or 1. The order is total, so sorting by it never contradicts itself. */
export function compareVersions(one: ParsedVersion, other: ParsedVersion): number {
  if (one.key === other.key) return 0
  return one.key < other.key ? -1 : 1
}

const schemeOfPrefix: ReadonlyMap<string, VersionScheme> = new Map(
  (['npm', 'pypi', 'gem', 'maven', 'nuget', 'go', 'composer', 'cargo'] as const).map((scheme) => [scheme, scheme]),
)

const orders: Readonly<Record<VersionScheme, VersionOrder>> = {
  npm: orderBy(semanticKey),
  pypi: orderBy(pypiKey),
  gem: orderBy(gemKey),
  maven: orderBy(mavenKey),
  nuget: orderBy(nugetKey),
  go: orderBy(goKey),
  composer: orderBy(composerKey),
  cargo: orderBy(semanticKey),
  debian: orderBy(debianKey),
  generic: orderBy(genericKey),
}

function orderBy(keyOf: (text: string) => string | null): VersionOrder {
  return { parse: (text) => parse(text, keyOf), compare: compareVersions }
}

function parse(text: string, keyOf: (text: string) => string | null): ParsedVersion | null {
  const trimmed = text.trim()
  if (trimmed.length > maxVersionLength || !isOneWord.test(trimmed) || !hasDigit.test(trimmed)) return null
  const key = keyOf(trimmed)
  return key === null ? null : { text: trimmed, key }
}

const isOneWord = /^[!-~]+$/
const hasDigit = /\d/
