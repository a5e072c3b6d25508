import assert from 'node:assert/strict'
import { z } from 'zod'
import { type AuditEntryRecord, auditEntrySchema } from '#core/audit.ts'
import { defaultPlans } from '#core/money/plan.ts'
import type { MemberRole } from '#core/people/person.ts'
import { addMember } from '#store/people/members.ts'
import type { Answer, TestApi, TestApiOptions } from './api.ts'
import { type Browser, type PeopleApi, peopleApi } from './people.ts'

const outcome = z.object({
  data: z.object({
    done: z.int(),
    refused: z.array(z.object({ id: z.string(), code: z.string(), message: z.string() })),
  }),
})

export const bulkPath = '/monitors/bulk'

/** How many were done, and what was refused, in order. */
export function outcomeOf(answer: Answer): [done: number, ...refused: [id: string, code: string][]] {
  assert.equal(answer.status, 200, answer.text)
  const { done, refused } = outcome.parse(answer.body).data
  return [done, ...refused.map(({ id, code }): [string, string] => [id, code])]
}

type Person = { browser: Browser; personId: string; workspaceId: string }

/** The owner's workspace, with slots for thousands, and a member of it who is signed in. */
export type BulkApi = {
  people: PeopleApi
  api: TestApi
  member: Person
  call: (method: string, path: string, body?: unknown) => Promise<Answer>
  act: (action: string, ids: readonly string[]) => Promise<Answer>
  /** Reads the monitors with these ids. */
  rowsOf: (ids: readonly string[]) => Promise<{ id: string; status: string; version: number }[]>
  /** The audit log, oldest first. */
  entries: () => Promise<AuditEntryRecord[]>
}

export async function bulkApi(options: TestApiOptions = {}): Promise<BulkApi> {
  const plans = { ...defaultPlans, pro: { ...defaultPlans.pro, slots: 5000 } }
  const people = await peopleApi({ ...options, services: { plans } })
  const { api } = people
  const { pool } = api.database
  const member = await joinedAs(people, 'member')
  const call: BulkApi['call'] = (method, path, body) =>
    member.browser.api(method, path, { workspace: api.workspaceId, ...(body === undefined ? {} : { body }) })
  return {
    people,
    api,
    member,
    call,
    act: (action, ids) => call('POST', bulkPath, { action, monitor_ids: ids }),
    rowsOf: async (ids) => {
      const { rows } = await pool.query<{ id: string; status: string; version: number }>(
        'select id, status, version from monitors where id = any($1) order by id',
        [ids],
      )
      return rows
    },
    entries: async () => {
      const { rows } = await pool.query<{ entry: unknown }>(entriesStatement, [api.workspaceId])
      return rows.map(({ entry }) => auditEntrySchema.parse(entry))
    },
  }
}

export async function joinedAs(people: PeopleApi, role: MemberRole): Promise<Person> {
  const { database, workspaceId } = people.api
  const person = await people.newcomer(`${role}@example.com`, 'Olga')
  const { personId } = person
  await database.transaction((tx) => addMember(tx, { workspaceId, personId, role, at: new Date() }))
  return person
}

const entriesStatement = `
select json_build_object(
  'id', id, 'at', to_char(at, 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'action', action, 'details', details,
  'actor', json_build_object('kind', actor_kind, 'id', actor_id, 'name', actor_name),
  'target', json_build_object('kind', target_kind, 'id', target_id, 'name', target_name)
) as entry
from audit_entries
where workspace_id = $1
order by position`
