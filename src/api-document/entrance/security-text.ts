import { dayMs, dayOf } from '#core/language/utc-day.ts'

/** Who finds a weakness later looks whether the address still holds (RFC 9116 2.5.5 recommends less than a year). */
const holdsDays = 90

export type SecurityTextOptions = {
  /** Without a final slash. */
  publicUrl: string
  contact: string
  now: Date
}

/** RFC 9116. The same for a day, so that readers can keep it. */
export function securityText({ publicUrl, contact, now }: SecurityTextOptions): string {
  const expires = dayOf(new Date(now.getTime() + holdsDays * dayMs))
  return [
    `Contact: ${contact}`,
    `Expires: ${expires}T00:00:00.000Z`,
    'Preferred-Languages: en',
    `Canonical: ${publicUrl}/.well-known/security.txt`,
    '',
  ].join('\n')
}
