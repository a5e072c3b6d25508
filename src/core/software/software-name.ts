/** Prefixes of product keys: the ecosystems of packages, and CPE. */
export const ecosystems = [
  'npm',
  'composer',
  'pypi',
  'gem',
  'go',
  'maven',
  'nuget',
  'cargo',
  'wp-plugin',
  'wp-theme',
  'cpe',
] as const
export type Ecosystem = (typeof ecosystems)[number]

/**
 * The key by which advisories and software are matched: `npm:lodash`, `pypi:django`, `maven:group:artifact`,
 * `cpe:vendor:product`, or a key of the catalogue, such as `nginx`.
 */
export type ProductKey = string

/**
 * The key of a package, in one spelling for all names that its registry takes as the same: lower case for Composer,
 * NuGet, CPE and WordPress, PEP 503 for PyPI, unchanged elsewhere. Null for a name that no package can have.
 */
export function productKey(ecosystem: Ecosystem, name: string): ProductKey | null {
  if (name.length > maxNameLength) return null
  const { pattern, spell } = rules[ecosystem]
  return pattern.test(name) ? `${ecosystem}:${spell === undefined ? name : spell(name)}` : null
}

/** Enough for Go, which has the longest names and sets no limit. */
const maxNameLength = 300

type Rule = { pattern: RegExp; spell?: (name: string) => string }

const rules: Readonly<Record<Ecosystem, Rule>> = {
  npm: { pattern: /^(?:@[\w.!~*'()-]+\/)?[\w.!~*'()-]+$/ },
  composer: { pattern: /^[a-z\d][\w.-]*\/[a-z\d][\w.-]*$/i, spell: lowerCase },
  pypi: { pattern: /^[a-z\d](?:[\w.-]*[a-z\d])?$/i, spell: (name) => lowerCase(name).replaceAll(/[-_.]+/g, '-') },
  gem: { pattern: /^[a-z\d_][\w.-]*$/i },
  go: { pattern: /^[a-z\d][\w.~+-]*(?:\/[\w.~+-]+)*$/i },
  maven: { pattern: /^[\w.-]+:[\w.-]+$/ },
  nuget: { pattern: /^\w[\w.-]*$/, spell: lowerCase },
  cargo: { pattern: /^[a-z_][\w-]*$/i },
  'wp-plugin': { pattern: /^[a-z\d][\w-]*$/i, spell: lowerCase },
  'wp-theme': { pattern: /^[a-z\d][\w-]*$/i, spell: lowerCase },
  // Refuses a wildcard, and "-", which stands for "not applicable" (NISTIR 7695).
  cpe: { pattern: /^(?!-?:)(?:[\w.-]|\\[!-~])+:(?!-?$)(?:[\w.-]|\\[!-~])+$/, spell: lowerCase },
}

function lowerCase(text: string): string {
  return text.toLowerCase()
}
