import { z } from 'zod'
import { fail, invalidFields } from '#core/language/error.ts'
import { resolveSoftware } from '#core/software/software-catalog.ts'
import { text } from '#core/language/text.ts'
import { type Software, vulnerabilitiesSchema } from '#core/software/vulnerability.ts'
import type { Transaction } from '#store/database/database.ts'
import type { SoftwareMonitor } from '#store/software/software-reports.ts'
import { addByHand, type Entry, removeSoftware, setIgnored, setVersion } from '#store/software/software.ts'
import { defineOperation } from '#operations/pipeline/define-operation.ts'
import { changeList } from './change-list.ts'
import { findEntry, findFollowed, reportOf } from './software-target.ts'
import { versionText } from './vulnerabilities.ts'

const tag = 'Software and vulnerabilities'
const success = { description: 'Software and findings.', schema: vulnerabilitiesSchema }

const additionSchema = z.strictObject({
  name: text({ min: 1, max: 400 }).describe(
    'A name of the software catalogue, `<ecosystem>:<package>`, or `cpe:<vendor>:<product>`.',
  ),
  version: versionText.nullable().optional().describe('Without it, what is known of any version may apply.'),
})

const add = defineOperation({
  name: 'add_software',
  method: 'POST',
  path: '/monitors/{id}/software',
  scope: 'write',
  subject: 'monitor',
  tag,
  summary: 'Add a product or package by hand',
  description:
    'An entry that was already added by hand with this version is not added twice. Plans without vulnerability ' +
    'alerts get `plan_required`, except for repository monitors.',
  body: { schema: additionSchema, isRequired: true, schemaName: 'SoftwareInput' },
  errors: [401, 402, 403, 404, 422],
  success: { status: 201, ...success },
  find: findFollowed,
  run: async (context, { target, body: { name, version = null } }) => {
    const known = resolveSoftware(name) ?? unknownSoftware()
    await changeList(context, target, {
      field: 'name',
      work: (tx) => addByHand(tx, { monitorKey: target.key, ...known, version, at: context.now }),
    })
    return { status: 201, body: await reportOf(context, target) }
  },
})

const update = defineOperation({
  name: 'update_software',
  method: 'PATCH',
  path: '/monitors/{id}/software/{software_id}',
  scope: 'write',
  subject: 'monitor',
  tag,
  summary: 'Set the version of an entry, or ignore it',
  description:
    'With a version (null: unknown), the entry counts as added by hand. Ignored entries have no findings and no ' +
    'alerts. Omitted fields stay as they are.',
  body: {
    schema: z.strictObject({ version: versionText.nullable().optional(), ignored: z.boolean().optional() }),
    isRequired: true,
    schemaName: 'SoftwareChange',
  },
  errors: [401, 402, 403, 404, 422],
  success: { status: 200, ...success },
  find: findEntry,
  run: async (context, { target, body: { version, ignored } }) => {
    await changeList(context, target, {
      field: 'version',
      work: async (tx) => {
        if (version !== undefined) await giveVersion(tx, { target, version, at: context.now })
        if (ignored !== undefined) await setIgnored(tx, entryOf(target), ignored)
      },
    })
    return { status: 200, body: await reportOf(context, target) }
  },
})

const remove = defineOperation({
  name: 'remove_software',
  method: 'DELETE',
  path: '/monitors/{id}/software/{software_id}',
  scope: 'write',
  subject: 'monitor',
  tag,
  summary: 'Remove an entry',
  description: 'What a scan found is ignored instead, so that later scans do not add it again.',
  errors: [401, 402, 403, 404, 422],
  success: { status: 200, ...success },
  find: findEntry,
  run: async (context, { target }) => {
    const { source } = target.software
    await changeList(context, target, {
      field: 'software_id',
      work: (tx) =>
        source === 'detected' ? setIgnored(tx, entryOf(target), true) : removeSoftware(tx, entryOf(target)),
    })
    return { status: 200, body: await reportOf(context, target) }
  },
})

export const softwareOperations = [add, update, remove]

function entryOf({ key, software }: SoftwareMonitor & { software: Software }): Entry {
  return { monitorKey: key, id: software.id }
}

async function giveVersion(
  tx: Transaction,
  change: { target: SoftwareMonitor & { software: Software }; version: string | null; at: Date },
): Promise<void> {
  const { target, version, at } = change
  const { id, product } = target.software
  const written = await setVersion(tx, { monitorKey: target.key, id, product, version, at })
  if (written !== id) throw invalidFields({ version: ['Another entry already has this product and version.'] })
}

function unknownSoftware(): never {
  const problem =
    'Names nothing known: it has to be in the software catalogue, or begin with npm:, composer:, pypi:, gem:, go:, ' +
    'maven:, nuget:, cargo:, wp-plugin:, wp-theme: or cpe:.'
  throw fail('unknown_software', problem, { fields: { name: [problem] } })
}
