// Contacts as other tools have them: settings that each of their providers names in its own way.
import { z } from 'zod'
import type { Findings, Where } from './findings.ts'
import { numberOrNull, textOrNull } from './import-json.ts'
import { oneLine } from './monitor-parts.ts'

/** A contact without its name. Options that are null are left out. */
export type Made = { kind: string; destination: string; options?: Readonly<Record<string, unknown>> }

/** Settings of a provider by their names; null where they are left out, empty or of another type. */
export type Settings = { text: (name: string) => string | null; number: (name: string) => number | null }

/** Makes none, with a note, where it cannot. `label` is for kinds whose address is an option. */
export type Provider = (settings: Settings, where: Where & { label: string }) => Made[]

const settingsSchema = z.record(z.string(), z.unknown())

/** Null for what is no object. */
export function settingsOf(value: unknown): Settings | null {
  const parsed = settingsSchema.safeParse(value)
  if (!parsed.success) return null
  const { data: settings } = parsed
  const own = (name: string): unknown => (Object.hasOwn(settings, name) ? settings[name] : null)
  return {
    text: (name) => textOrNull.safeParse(own(name)).data ?? null,
    number: (name) => numberOrNull.safeParse(own(name)).data ?? null,
  }
}

type Named = { name: string; place: string; findings: Findings }

/** Adds what the provider makes to the findings, and returns the keys of what arrives. */
export function addContacts(provider: Provider, settings: Settings, { name, place, findings }: Named): string[] {
  const made = provider(settings, { place, findings, label: labelOf(name) })
  return made.flatMap(({ kind, destination, options = {} }) => {
    const own = made.length > 1 ? oneLine(`${name} ${destination}`, 160) : name
    const given = Object.entries(options).filter(([, value]) => value !== null && value !== undefined)
    const key = findings.keyOf('contacts', own)
    const input = {
      name: own,
      kind,
      destination,
      ...(given.length === 0 ? {} : { options: Object.fromEntries(given) }),
    }
    return findings.addContact({ key, place, input }) ? [key] : []
  })
}

/** Shown to all who see the contact, so that it must not be an address. */
function labelOf(name: string): string {
  return oneLine(name.replaceAll('://', ' '), 100)
}

const maxAddresses = 50

/** Addresses of mail as people list them: `Ada <ada@example.com>, bob@example.com`. */
export function mailContacts(lists: readonly (string | null)[], { place, findings }: Where): Made[] {
  const addresses = lists.flatMap((list) => (list ?? '').split(/[,;]/))
  const bare = addresses.map((address) => (/<([^<>]*)>\s*$/.exec(address)?.[1] ?? address).trim())
  const found = [...new Set(bare)].filter((address) => address !== '')
  if (found.length === 0) findings.lost(place, 'It names no address.')
  if (found.length > maxAddresses) findings.lost(place, `Only the first ${maxAddresses} addresses are imported.`)
  return found.slice(0, maxAddresses).map((destination) => ({ kind: 'email', destination }))
}
