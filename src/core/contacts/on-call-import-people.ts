// Which contact is whom: as the caller says, else the mail contact with a person's address, else the contact whose name
// is the person's.
import type { ImportedPersonRecord, OnCallSource, SourcePerson } from './on-call-import.ts'

export type ImportContact = { id: string; name: string; kind: string; destination: string }

export type PeopleMatch = {
  people: ImportedPersonRecord[]
  /** Contacts by the ids of people; those who are left out or not matched have none. */
  contacts: ReadonlyMap<string, string>
  /** Ids of people whom the caller leaves out. */
  leftOut: ReadonlySet<string>
  /** Names of the caller's entries that are of nobody in the file. */
  unknown: string[]
}

type Asked = {
  /** By id, mail address or name of a person. */
  given: Readonly<Record<string, string | null>>
  contacts: readonly ImportContact[]
}

export function matchPeople({ people }: Pick<OnCallSource, 'people'>, { given, contacts }: Asked): PeopleMatch {
  const entries = new Map(Object.entries(given).map(([key, contactId]) => [plain(key), contactId]))
  const used = new Set<string>()
  const found = [...people.values()].map((person): ImportedPersonRecord => {
    for (const key of [person.id, person.mail, person.name]) {
      const contactId = key === null ? undefined : entries.get(plain(key))
      if (key === null || contactId === undefined) continue
      used.add(plain(key))
      return recordOf(person, { contact_id: contactId, matched_by: 'people' })
    }
    return recordOf(person, proposalFor(person, contacts))
  })
  return {
    people: found.toSorted((one, other) => nameOf(one).localeCompare(nameOf(other), 'en')),
    contacts: new Map(found.flatMap(({ id, contact_id: contactId }) => (contactId === null ? [] : [[id, contactId]]))),
    leftOut: new Set(found.filter((one) => one.matched_by === 'people' && one.contact_id === null).map(({ id }) => id)),
    unknown: Object.keys(given).filter((key) => !used.has(plain(key))),
  }
}

export function nameOf({ id, name, mail }: SourcePerson): string {
  return name ?? mail ?? id
}

type Proposal = Pick<ImportedPersonRecord, 'contact_id' | 'matched_by'>

function recordOf(person: SourcePerson, match: Proposal): ImportedPersonRecord {
  return { ...person, ...match }
}

function proposalFor({ name, mail }: SourcePerson, contacts: readonly ImportContact[]): Proposal {
  const mailed = contacts.find(({ kind, destination }) => kind === 'email' && isSame(destination, mail))
  if (mailed !== undefined) return { contact_id: mailed.id, matched_by: 'mail' }
  const named = contacts.filter((contact) => isSame(contact.name, name))
  const [only] = named
  // Of two contacts with the name, which one is meant is for somebody to say.
  return only === undefined || named.length > 1
    ? { contact_id: null, matched_by: null }
    : { contact_id: only.id, matched_by: 'name' }
}

function isSame(text: string, other: string | null): boolean {
  return other !== null && other !== '' && plain(text) === plain(other)
}

function plain(text: string): string {
  return text.trim().toLowerCase()
}
