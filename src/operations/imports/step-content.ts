// What a step of an import is to make, as it is kept until it is made.
import { z } from 'zod'
import { sections } from '#core/projects/entries.ts'
import type { Project, ProjectEntry } from '#core/projects/project.ts'
import { namedIn, type Reference } from '#core/projects/references.ts'
import type { ImportedDaysInput } from '#core/results/imported-days.ts'
import type { SettledImport } from './import-project.ts'

const contentSchema = z.object({
  fields: z.record(z.string(), z.unknown()),
  /** What ids among the fields stand for. */
  references: z.array(z.tuple([z.string(), z.object({ section: z.enum(sections), key: z.string() })])),
  /** The path at which a job called the other tool; null where none did. */
  path: z.string().nullable(),
  /** What the other tool counted, as the operation for it takes it. */
  days: z.array(z.unknown()),
})
export type StepContent = z.infer<typeof contentSchema>

export function readStepContent(text: string): StepContent {
  return contentSchema.parse(JSON.parse(text))
}

type Days = ReadonlyMap<string, ImportedDaysInput['days']>

/** Of each entry, by its label. `days` are those of monitors by their keys. */
export function stepContents({ project, calls }: SettledImport, days: Days): Map<string, string> {
  const paths = new Map(calls.map(({ monitorKey, path }) => [monitorKey, path]))
  return new Map(
    project.entries.map((entry) => {
      const isMonitor = entry.section === 'monitors'
      const content: StepContent = {
        fields: entry.fields,
        references: referencesOf(entry, project),
        path: isMonitor ? (paths.get(entry.key) ?? null) : null,
        days: isMonitor ? (days.get(entry.key) ?? []) : [],
      }
      return [stepLabel(entry), JSON.stringify(content)]
    }),
  )
}

export function stepLabel({ section, key }: Pick<ProjectEntry, 'section' | 'key'>): string {
  return `${section} ${key}`
}

function referencesOf({ fields }: ProjectEntry, { findReference }: Project): StepContent['references'] {
  return [...namedIn(fields, findReference)].flatMap(([id, reference]) => named(id, reference))
}

/** An import names nothing of the workspace by its name. */
function named(id: string, reference: Reference): StepContent['references'] {
  return 'key' in reference ? [[id, { section: reference.to, key: reference.key }]] : []
}
