import { z } from 'zod'
import { type Fields, fail, invalidFields } from '#core/language/error.ts'
import { maxSchedules } from '#core/contacts/on-call-schedule.ts'
import {
  type ImportedScheduleRecord,
  OnCallImportError,
  type OnCallSource,
  type OnCallSourceName,
  onCallImportInputSchema,
  onCallImportSchema,
} from '#core/contacts/on-call-import.ts'
import { type ImportContact, type PeopleMatch, matchPeople, nameOf } from '#core/contacts/on-call-import-people.ts'
import { makeSchedules, readOnCall } from '#core/contacts/on-call-import-schedules.ts'
import { listContacts } from '#store/contacts/contacts.ts'
import { holdContacts } from '#store/contacts/hold-contacts.ts'
import { insertOverrides } from '#store/contacts/on-call-overrides.ts'
import { insertSchedule, listSchedules } from '#store/contacts/on-call-schedules.ts'
import type { Transaction } from '#store/database/database.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'
import type { Context } from '#operations/pipeline/operation.ts'
import { takeParticipants } from './on-call-schedules.ts'

const done = z.strictObject({ data: onCallImportSchema })
/** The longest content with every character escaped, and the rest of the body. */
const maxBytes = 3_200_000

const importSchedules = defineOperation({
  name: 'import_on_call_schedules',
  method: 'POST',
  path: '/on-call-schedules/import',
  scope: 'write',
  subject: 'on_call_schedule',
  tag: 'Account',
  summary: 'Import on-call schedules from Opsgenie, Grafana OnCall or PagerDuty',
  description:
    'By default, only says what would be created, changed and lost. With `dry_run: false`, it creates all or nothing.',
  body: { schema: onCallImportInputSchema, isRequired: true, schemaName: 'OnCallImportInput', maxBytes },
  errors: [401, 403, 422],
  success: { status: 200, description: 'What would be created. Nothing was.', schema: done },
  otherSuccess: { status: 201, description: 'What was created.', schema: done },
  run: async (context, { body }) => {
    const { source, content, dry_run: isDry, people: given } = body
    const { caller, services, now, noteChange } = context
    const read = readSource(source, { content, now })
    const contacts = await contactsOf(context)
    const match = matchPeople(read, { given, contacts })
    assertKnown(match, { given, contacts })
    const { schedules, notes } = makeSchedules(read, { contacts: match.contacts, leftOut: match.leftOut, now })
    const answer = { dry_run: isDry, people: match.people, notes }
    if (isDry) {
      noteChange('nothing')
      return { status: 200, body: { data: { ...answer, schedules } } }
    }
    assertAllMatched(match)
    await assertRoom(context, schedules.length)
    const made = await services.database.transaction(async (tx) => {
      const written: ImportedScheduleRecord[] = []
      for (const each of schedules)
        written.push({ ...each, id: await make(tx, each, { workspaceId: caller.workspaceId, now }) })
      const [first] = written
      const names = written.map(({ schedule }) => schedule.name)
      // The entry is about the first of them, and names all.
      if (first === undefined || first.id === null) noteChange('nothing')
      else noteChange({ id: first.id, name: first.schedule.name, details: { source, schedules: names } })
      return written
    })
    return { status: 201, body: { data: { ...answer, schedules: made } } }
  },
})

export const onCallImportOperations = [importSchedules]

function readSource(source: OnCallSourceName, { content, now }: { content: string; now: Date }): OnCallSource {
  try {
    return readOnCall(source, content, now)
  } catch (error) {
    if (error instanceof OnCallImportError) throw invalidFields({ content: [error.message] })
    throw error
  }
}

async function contactsOf({ caller, services }: Context): Promise<ImportContact[]> {
  const contacts = await listContacts(services.database, caller.workspaceId)
  return contacts.map(({ id, name, kind, destination }) => ({ id, name, kind, destination }))
}

type Given = { given: Readonly<Record<string, string | null>>; contacts: readonly ImportContact[] }

function assertKnown({ unknown }: PeopleMatch, { given, contacts }: Given): void {
  const fields: Fields = {}
  for (const [key, contactId] of Object.entries(given))
    if (contactId !== null && !contacts.some(({ id }) => id === contactId))
      fields[`people.${key}`] = ['There is no such contact in this workspace.']
  for (const key of unknown) fields[`people.${key}`] = ['No one in the file has this id, address or name.']
  if (Object.keys(fields).length > 0) throw invalidFields(fields)
}

function assertAllMatched({ people }: PeopleMatch): void {
  const unmatched = people.filter(({ matched_by: by }) => by === null)
  const fields: Fields = Object.fromEntries(
    unmatched.map((person) => [
      `people.${person.id}`,
      [`${nameOf(person)} has no contact yet. Name one, or null to leave this person out.`],
    ]),
  )
  if (unmatched.length > 0) throw invalidFields(fields)
}

async function assertRoom({ caller, services }: Context, wanted: number): Promise<void> {
  const present = await listSchedules(services.database, { workspaceId: caller.workspaceId })
  const room = maxSchedules - present.length
  if (wanted > room)
    throw fail(
      'limit_reached',
      `content has ${wanted} schedules, but a workspace can have at most ${maxSchedules}, and only ${room} more fit.`,
    )
}

async function make(
  tx: Transaction,
  { schedule: { name, time_zone: timeZone, layers }, overrides }: ImportedScheduleRecord,
  { workspaceId, now }: { workspaceId: string; now: Date },
): Promise<string> {
  const id = await insertSchedule(tx, { workspaceId, settings: { name, timeZone, layers }, now })
  await takeParticipants(tx, { workspaceId, id, layers })
  const replacing = [...new Set(overrides.map(({ contact_id: contactId }) => contactId))]
  if ((await holdContacts(tx, workspaceId, replacing)).length < replacing.length)
    throw invalidFields({ people: ['A contact was deleted in the meantime.'] })
  await insertOverrides(tx, {
    scheduleId: id,
    overrides: overrides.map(({ starts_at: starts, ends_at: ends, contact_id: contactId }) => ({
      startsAt: new Date(starts),
      endsAt: new Date(ends),
      contactId,
    })),
  })
  return id
}
