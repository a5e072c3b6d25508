import type { Actor, AuditDetails, AuditSubject } from '#core/audit.ts'
import { insertAuditEntry } from '#store/workspaces/audit.ts'
import type { Database, Reader, Transaction } from '#store/database/database.ts'

/** What the audit log says about a change beside its actor. Members that are left out keep what was noted before. */
export type ChangeNote = { id?: string; name?: string; details?: AuditDetails }

/** `nothing`: the operation found nothing to change, so that there is nothing to tell. */
export type NoteChange = (note: ChangeNote | 'nothing') => void

export type ChangeRecord = {
  /** The first transaction that commits on it also writes the entry. */
  database: Database
  note: NoteChange
  /** Writes the entry of an operation that had no transaction. */
  finish: () => Promise<void>
}

export type RecordedChange = {
  workspaceId: string
  actor: Actor
  action: string
  subject: AuditSubject
  at: Date
  /** What is known before the operation runs. */
  known: ChangeNote
}

/** What else an operation does in the transactions that it makes something in. */
export type BesideChange = {
  before: (tx: Transaction) => Promise<void>
  /** `id`: what was made, as it was noted. Harmless where it is repeated. */
  after: (tx: Transaction, id: string) => Promise<void>
}

/** Lends the database to one operation in such a way that no change commits without its entry in the audit log. */
export function recordChange(
  database: Database,
  change: RecordedChange,
  beside: BesideChange | null = null,
): ChangeRecord {
  let known = change.known
  let isDone = false
  const write = async (reader: Reader): Promise<void> => {
    if (!isDone) await insertAuditEntry(reader, { ...change, ...entryOf(change.subject, known) })
  }
  return {
    database: {
      ...database,
      transaction: async (work) => {
        const before = { known, isDone }
        const result = await database.transaction(async (tx) => {
          // PostgreSQL undid the former attempt of this transaction, and with it what it noted.
          ;({ known, isDone } = before)
          await beside?.before(tx)
          const made = await work(tx)
          await write(tx)
          if (known.id !== undefined) await beside?.after(tx, known.id)
          return made
        })
        isDone = true
        return result
      },
    },
    note: (note) => {
      if (note === 'nothing') isDone = true
      else known = { ...known, ...note, details: { ...known.details, ...note.details } }
    },
    finish: () => write(database),
  }
}

function entryOf(kind: AuditSubject, { id, name, details }: ChangeNote): Pick<Entry, 'target' | 'details'> {
  return { target: { kind, id: id ?? null, name: name ?? null }, details: details ?? {} }
}

type Entry = Parameters<typeof insertAuditEntry>[1]
