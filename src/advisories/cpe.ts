import { type ProductKey, productKey } from '#core/software/software-name.ts'

/** The parts of a CPE 2.3 name that are used, in lower case and escaped as they stand there (NISTIR 7695, 6.2). */
export type Cpe = {
  /** `a` application, `o` operating system, `h` hardware. */
  part: string
  product: ProductKey
  /** `*` any, `-` none. */
  version: string
  update: string
  /** As older names have it, or the newer ones: an edition of the software. */
  edition: string
  /** The system it runs on or in. */
  targetSystem: string
}

/** Null for what is no name of one product. */
export function readCpe(name: string): Cpe | null {
  if (name.length > maxLength) return null
  const parts = name.toLowerCase().split(/(?<!\\):/)
  const [scheme, number, part = '', vendor, product, version = '*', update = '*', edition = '*'] = parts
  const [, softwareEdition = '*', targetSystem = '*'] = parts.slice(8)
  if (scheme !== 'cpe' || number !== '2.3' || !/^[aho]$/.test(part) || parts.length > 13) return null
  const key = productKey('cpe', `${vendor}:${product}`)
  if (key === null) return null
  const named = isNamed(softwareEdition) ? softwareEdition : edition
  return { part, product: key, version: unescaped(version), update: unescaped(update), edition: named, targetSystem }
}

/** Something is said, and not "any" or "none". */
export function isNamed(value: string): boolean {
  return value !== '*' && value !== '-' && value !== ''
}

/** The key of a vendor and a product as other records write them: CPEs have underscores for spaces. Null for none. */
export function cpeOfNames(vendor: string, product: string): ProductKey | null {
  const names = [vendor, product].map((name) =>
    name
      .trim()
      .toLowerCase()
      .replaceAll(/\s+/g, '_')
      .replaceAll(/[^\w.-]/g, String.raw`\$&`),
  )
  if (names.some((name) => nobody.has(name))) return null
  return productKey('cpe', names.join(':'))
}

const maxLength = 1000
const nobody: ReadonlySet<string> = new Set([
  '',
  '*',
  '-',
  String.raw`n\/a`,
  'n_a',
  'unknown',
  'unspecified',
  String.raw`\[unknown\]`,
])

function unescaped(text: string): string {
  return text.replaceAll(/\\(.)/g, '$1')
}
