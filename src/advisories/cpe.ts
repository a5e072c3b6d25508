import { type ProductKey, productKey } from '#core/software/software-name.ts'

/** The parts of a CPE 2.3 name that matching uses, in lower case and escaped as written (NISTIR 7695, 6.2). */
export type Cpe = {
  /** `a` application, `o` operating system, `h` hardware. */
  part: string
  product: ProductKey
  /** `*` is any, `-` is none. */
  version: string
  update: string
  /** The edition of the software, from the field of older names or from that of newer ones. */
  edition: string
  /** The system on which, or in which, the software runs. */
  targetSystem: string
}

/** Null when the text does not name one product. */
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

/** Whether the field has a value other than "any" and "none". */
export function isNamed(value: string): boolean {
  return value !== '*' && value !== '-' && value !== ''
}

/**
 * The CPE key of a vendor and a product as other records write them: CPEs have underscores for spaces. Null when a name
 * is missing.
 */
export function cpeOfNames(vendor: string, product: string): ProductKey | null {
  const names = [vendor, product].map((name) =>
    name
      .trim()
      .toLowerCase()
      .replaceAll(/\s+/g, '_')
      .replaceAll(/[^\w.-]/g, String.raw`\$&`),
  )
  if (names.some((name) => placeholders.has(name))) return null
  return productKey('cpe', names.join(':'))
}

const maxLength = 1000
const placeholders: ReadonlySet<string> = new Set([
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
