import { mailKindNames } from '#core/contacts/contact-kinds.ts'

/** The lane of all mail, because all of it leaves through one server. */
export const mailLane = 'mail'

/** The lane of a contact, of which the columns are `alias.…`. */
export function laneOfContact(alias: string): string {
  return `coalesce('to:' || ${alias}.host, ${laneOf(`${alias}.kind`, `${alias}.destination`)})`
}

/**
 * The lane of what is sent to a contact or a subscriber: the host and port of its address. `kind` and `destination` are
 * SQL. Destinations without a readable host share the lane of their kind.
 */
export function laneOf(kind: string, destination: string): string {
  const mailKinds = mailKindNames.map((name) => `'${name}'`).join(', ')
  return `case
    when ${kind} in (${mailKinds}) then '${mailLane}'
    else coalesce('to:' || lower(substring(${destination} from '(?i)^https?://([^/?#]+)')), ${kind})
  end`
}
