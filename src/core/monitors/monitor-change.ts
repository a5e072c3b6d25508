import { z } from 'zod'
import { invalidFields } from '#core/language/error.ts'
import { tagKey } from '#core/tag-key.ts'
import { maxTags, tagsSchema } from '#core/tags.ts'
import { type MonitorInput, monitorInputSchema } from './monitor.ts'

/** A change of a monitor as it is made: what is left out stays, its name too. */
export type MonitorChange = Omit<MonitorInput, 'name'> & {
  name?: string | undefined
  add_tags?: readonly string[] | undefined
  remove_tags?: readonly string[] | undefined
}

/** What a monitor has for itself alone: one value for many would be a mistake of those who give it. */
const ofOneMonitor = {
  name: true,
  kind: true,
  url: true,
  keyword: true,
  request_headers: true,
  request_body: true,
  check_options: true,
  allow_private_target: true,
  billing_period: true,
} as const

const someTags = tagsSchema.min(1)

/** One change of many monitors. */
export const manyChangeSchema = z
  .strictObject({
    ...monitorInputSchema.omit(ofOneMonitor).partial().shape,
    add_tags: someTags.optional().describe('Beside those that each has.'),
    remove_tags: someTags.optional().describe('In any case; what a monitor does not have is left out.'),
  })
  .check(({ value, issues }) => {
    // What was refused already is told already.
    if (issues.length > 0) return
    const { tags, add_tags: added, remove_tags: removed } = value
    if (Object.values(value).every((each) => each === undefined))
      issues.push({ code: 'custom', message: 'Must have a field to change.', input: value })
    if (tags !== undefined && (added ?? removed) !== undefined)
      issues.push({
        code: 'custom',
        message: 'Goes without `add_tags` and `remove_tags`.',
        input: tags,
        path: ['tags'],
      })
  })
export type ManyChange = z.infer<typeof manyChangeSchema>

/** The change as an input that leaves nothing to what the monitor is called and tagged now. */
export function completeChange(
  { add_tags: added = [], remove_tags: removed = [], ...change }: MonitorChange,
  current: { name: string; tags: readonly string[] },
): MonitorInput {
  const named = { ...change, name: change.name ?? current.name }
  if (added.length + removed.length === 0) return named
  return { ...named, tags: changedTags(current.tags, added, removed) }
}

/** Tags that a monitor has stay as they are written there. */
function changedTags(present: readonly string[], added: readonly string[], removed: readonly string[]): string[] {
  const gone = new Set(removed.map(tagKey))
  const kept = present.filter((tag) => !gone.has(tagKey(tag)))
  const keys = new Set(kept.map(tagKey))
  const changed = [...kept, ...added.filter((tag) => !keys.has(tagKey(tag)))]
  if (changed.length > maxTags)
    throw invalidFields({
      add_tags: [`With these it would have ${changed.length} tags, but a monitor can have at most ${maxTags}.`],
    })
  return changed
}
