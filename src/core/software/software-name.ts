/** The kinds of packages that a product key can name. Specification, Catalog. */
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
 * What advisories and software are matched by: `npm:lodash`, `pypi:django`, `maven:group:artifact`,
 * `cpe:vendor:product`, or a key of the catalogue, such as `nginx`.
 */
export type ProductKey = string

/**
 * The key of a package, by the one spelling that its registry takes for the same name: lower case for Composer, NuGet,
 * CPE and WordPress, PEP 503 for PyPI, as it stands elsewhere. Null where no package can have the name.
 */
export function productKey(ecosystem: Ecosystem, name: string): ProductKey | null {
  if (name.length > maxNameLength) return null
  const { pattern, spell } = rules[ecosystem]
  return pattern.test(name) ? `${ecosystem}:${spell === undefined ? name : spell(name)}` : null
}

/** Go allows the longest names, which have no limit of their own. */
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
  // No wildcard, and not "-", which stands for "not applicable" (NISTIR 7695).
  cpe: { pattern: /^(?!-?:)(?:[\w.-]|\\[!-~])+:(?!-?$)(?:[\w.-]|\\[!-~])+$/, spell: lowerCase },
}

function lowerCase(text: string): string {
  return text.toLowerCase()
}
