import type { DnsName } from '#net/dns/signed-record.ts'
import { readable } from '#kinds/readable.ts'

export const root: DnsName = []

/** Of a domain name in ASCII without its final dot; the root is ".". */
export function nameOf(text: string): DnsName {
  return text === '.' ? root : text.toLowerCase().split('.')
}

/** As in a text for people. */
export function nameText(name: DnsName): string {
  return name.length === 0 ? '.' : readable(name.join('.'), 253)
}

export function wireOf(name: DnsName): Buffer {
  return Buffer.from(`${name.map((label) => String.fromCharCode(label.length) + label).join('')}\0`, 'latin1')
}

/** A text that is the same for the same name, and for no other. */
export function keyOf(name: DnsName): string {
  return wireOf(name).toString('latin1')
}

export function isSameName(one: DnsName, other: DnsName): boolean {
  return one.length === other.length && isWithin(one, other)
}

/** Whether a name is that of the zone or lies beneath it. */
export function isWithin(name: DnsName, zone: DnsName): boolean {
  const first = name.length - zone.length
  return first >= 0 && zone.every((label, index) => label === name[first + index])
}

export function isBeneath(name: DnsName, zone: DnsName): boolean {
  return name.length > zone.length && isWithin(name, zone)
}

/** The last labels of a name: itself, or a name above it. */
export function ancestorOf(name: DnsName, labels: number): DnsName {
  return name.slice(name.length - labels)
}

/** The canonical order (RFC 4034 6.1): label after label from the right, each as its bytes. */
export function compareNames(one: DnsName, other: DnsName): number {
  const shared = Math.min(one.length, other.length)
  for (let fromRight = 1; fromRight <= shared; fromRight++) {
    const mine = one[one.length - fromRight] ?? ''
    const theirs = other[other.length - fromRight] ?? ''
    if (mine !== theirs) return mine < theirs ? -1 : 1
  }
  return one.length - other.length
}

/** How many labels two names share, from the right. */
export function sharedLabels(one: DnsName, other: DnsName): number {
  const most = Math.min(one.length, other.length)
  let shared = 0
  while (shared < most && one[one.length - shared - 1] === other[other.length - shared - 1]) shared++
  return shared
}
