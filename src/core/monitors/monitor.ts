import { z } from 'zod'
import { canonicalJson } from '#core/language/canonical-json.ts'
import { namesOf, partsOf, type PartsOf } from '#core/language/tables.ts'
import { type ChangeEffect, type ByRule } from './field-entry.ts'
import { type currentStatuses, monitorFields } from './monitor-fields.ts'

export type { ChangeEffect }
export type CurrentStatus = (typeof currentStatuses)[number]

const inputShape = partsOf(monitorFields, 'input')

/** A client can send one form to create, change and quote: `name` is required by all, the rest may be left out. */
const fields = { ...z.strictObject(inputShape).partial().shape, name: inputShape.name }

/** What a caller says of a monitor that is not there yet. */
export const monitorInputSchema = z.strictObject(fields)
export type MonitorInput = z.infer<typeof monitorInputSchema>

/** The same for a change. */
export const monitorChangeSchema = z
  .strictObject(fields)
  .describe(
    'What is left out stays as it is; defaults are those of new monitors. `check_options` replace the earlier ones ' +
      'whole, but secret ones that are left out are kept.',
  )

/** The same where what is left out stays for the name too: a model that changes one field need not ask for it first. */
export const partialChangeSchema = monitorChangeSchema.partial({ name: true })

/** A monitor as the API shows it. */
export const monitorSchema = z.strictObject(partsOf(monitorFields, 'shown'))
export type MonitorRecord = z.infer<typeof monitorSchema>

type Kept = PartsOf<typeof monitorFields, 'kept'>
export type SettingField = keyof Kept
export const settingFields = namesOf(partsOf(monitorFields, 'kept'))

/** What a monitor is set to, with secrets in the clear. Never leaves the service. */
export type MonitorSettings = { [Field in SettingField]: z.output<Kept[Field]> }

type Initial = PartsOf<typeof monitorFields, 'initial'>
/** Settings whose value depends on more than what was given for them. */
export type RuledField = { [Field in SettingField]: Initial[Field] extends ByRule ? Field : never }[SettingField]

export function changeEffect(before: MonitorSettings, after: MonitorSettings): ChangeEffect {
  const changed = settingFields.filter((field) => canonicalJson(before[field]) !== canonicalJson(after[field]))
  const effects = new Set(changed.map((field) => monitorFields[field].onChange))
  if (effects.has('target')) return 'target'
  return effects.has('settings') ? 'settings' : 'none'
}
