// Alert contacts of UptimeRobot, which its monitors list with their addresses.
import { z } from 'zod'
import { addContacts, type Made, settingsOf } from '#core/imports/contact-parts.ts'
import type { Findings } from '#core/imports/findings.ts'
import { numberOrNull, textOrNull } from '#core/imports/import-json.ts'
import { shown } from '#core/imports/monitor-parts.ts'

export const robotContactSchema = z.object({
  id: textOrNull,
  type: numberOrNull,
  value: textOrNull,
  threshold: numberOrNull,
  recurrence: numberOrNull,
})
export type RobotContact = z.infer<typeof robotContactSchema>

const mail = 2
const webhook = 5

/** Each contact is made once, however many monitors list it. */
export function createRobotContacts(findings: Findings): { keyOf: (contact: RobotContact) => string | null } {
  const keys = new Map<string, string | null>()
  return {
    keyOf: (contact) => {
      const id = contact.id ?? `${contact.type}:${contact.value}`
      const known = keys.get(id)
      if (known !== undefined) return known
      const key = add(contact, findings)
      keys.set(id, key)
      return key
    },
  }
}

function add(contact: RobotContact, findings: Findings): string | null {
  const place = `alert_contact ${contact.id ?? '?'}`
  const made = madeOf(contact)
  if (made === null) {
    findings.lost(
      place,
      `Its type ${contact.type ?? ''} tells too little to write there: "${shown(contact.value ?? '')}". Make the contact anew.`,
    )
    return null
  }
  if (made.kind === 'webhook')
    findings.changed(place, 'Perigee sends its own signed JSON (docs/alerts.md). Adapt the receiver to it.')
  const named = { name: `${made.kind} ${contact.id ?? ''}`.trim(), place, findings }
  const settings = settingsOf({})
  if (settings === null) return null
  return addContacts((_settings, { label }) => [withLabel(made, label)], settings, named)[0] ?? null
}

function withLabel(made: Made, label: string): Made {
  return made.destination === '' ? { ...made, destination: label } : made
}

/** The numbers of newer types are not documented, but addresses tell what they are of. */
function madeOf({ type, value }: RobotContact): Made | null {
  if (value === null) return null
  if (type === mail) return { kind: 'email', destination: value }
  if (value.startsWith('https://hooks.slack.com/')) return { kind: 'slack', destination: value }
  if (value.startsWith('https://discord.com/api/webhooks/'))
    return { kind: 'discord', destination: '', options: { webhook_url: value } }
  if (value.startsWith('https://chat.googleapis.com/'))
    return { kind: 'google_chat', destination: '', options: { webhook_url: value } }
  return type === webhook ? { kind: 'webhook', destination: value } : null
}
