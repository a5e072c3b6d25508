import { z } from 'zod'
import { type Fields, invalidFields } from '#core/language/error.ts'
import type { Section } from '#core/projects/entries.ts'
import { type OwnershipInput, ownershipInputSchema } from '#core/projects/ownership.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'
import {
  findObjects,
  holdProjectObjects,
  type ProjectObject,
  setProjectObjects,
} from '#store/projects/project-objects.ts'

const ownObjects = defineOperation({
  name: 'own_project_objects',
  method: 'POST',
  path: '/project-objects',
  scope: 'write',
  surface: 'programs',
  subject: 'workspace',
  tag: 'Account',
  summary: 'Link keys of a project to objects of the workspace',
  description:
    'Keeps an entry of a file the same object when its name changes. The objects do not change. An object belongs ' +
    'to at most one project. A repeat changes nothing.',
  body: { schema: ownershipInputSchema, isRequired: true, schemaName: 'ProjectObjectsInput' },
  errors: [401, 403, 422],
  success: {
    status: 200,
    description: 'How many objects the project has now.',
    schema: z.strictObject({ data: z.strictObject({ project: z.string(), objects: z.int() }) }),
  },
  run: async ({ caller: { workspaceId }, services, now, noteChange }, { body }) => {
    const { project, objects } = body
    noteChange({ id: workspaceId, name: project, details: { project, objects: objects.length } })
    const owned = await services.database.transaction(async (tx) => {
      const held = await holdProjectObjects(tx, workspaceId)
      const ids = objects.flatMap(({ id }) => id ?? [])
      const fields = problemsOf(body, { held, present: await findObjects(tx, { workspaceId, ids }) })
      if (Object.keys(fields).length > 0) throw invalidFields(fields)
      const prunedAts = new Map(held.map(({ id, prunedAt }) => [id, prunedAt]))
      const kept = objects.map(({ section, key, id, pruned = false }) => ({
        section,
        key,
        id,
        prunedAt: pruned ? (prunedAts.get(id ?? '') ?? now) : null,
      }))
      await setProjectObjects(tx, { workspaceId, project, objects: kept })
      const after = await holdProjectObjects(tx, workspaceId)
      return after.filter((each) => each.project === project).length
    })
    return { status: 200, body: { data: { project, objects: owned } } }
  },
})

export const ownershipOperations = [ownObjects]

type Known = { held: readonly ProjectObject[]; present: ReadonlyMap<string, Section> }

function problemsOf({ project, objects }: OwnershipInput, { held, present }: Known): Fields {
  const owners = new Map(held.map((object) => [object.id, object.project]))
  const seen = new Set<string>()
  const fields: Fields = {}
  for (const [at, { section, key, id }] of objects.entries()) {
    const name = `${section} ${key}`
    if (seen.has(name)) fields[`objects.${at}.key`] = ['Must not be named twice.']
    seen.add(name)
    if (id === null) continue
    const owner = owners.get(id) ?? project
    if (present.get(id) !== section) fields[`objects.${at}.id`] = [`Is none of the ${section} of this workspace.`]
    else if (seen.has(id)) fields[`objects.${at}.id`] = ['Must not be named twice.']
    else if (owner !== project) fields[`objects.${at}.id`] = [`Belongs to the project ${owner}.`]
    seen.add(id)
  }
  return fields
}
