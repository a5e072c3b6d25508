// An import that a workspace made, or is making.
import { z } from 'zod'
import { sections } from '#core/projects/entries.ts'
import { namesOf } from '#core/language/tables.ts'
import { importSources } from './import-source.ts'

/** Of a workspace; the oldest that are over are forgotten for new ones. */
export const maxImports = 20
/** What is still to be made holds secrets, so that it is not kept for longer without anything being done. */
export const importContentDays = 30
export const importDays = 90
/** Of one import, in an answer. */
export const maxToldSteps = 200

const importStates = ['open', 'done', 'undoing', 'undone'] as const
export type ImportState = (typeof importStates)[number]

export const stepStates = ['waiting', 'begun', 'made', 'present', 'failed', 'leaving', 'removed', 'kept'] as const
export type StepState = (typeof stepStates)[number]

const toldSchema = z.strictObject({
  section: z.enum(sections),
  key: z.string(),
  name: z.string(),
  state: z.enum(stepStates),
  problem: z.string().describe('Why it was not made, or what of it was changed since.'),
})
export type ToldStep = z.infer<typeof toldSchema>

export const importSchema = z.strictObject({
  id: z.uuid(),
  source: z.enum(namesOf(importSources)),
  project: z.string(),
  file_name: z.string(),
  started_by: z.string(),
  state: z
    .enum(importStates)
    .describe('`open` while something is still to be made, and `undoing` while something is still to be removed.'),
  created_at: z.iso.datetime(),
  waiting: z.int().describe('How many are still to be made.'),
  made: z.int().describe('How many were made and are there.'),
  present: z.int().describe('How many were there before.'),
  failed: z.int().describe('How many could not be made.'),
  leaving: z.int().describe('How many are still to be removed.'),
  removed: z.int().describe('How many were taken back.'),
  kept: z.int().describe('How many stay, because they were changed since, or are needed by what was.'),
  told: z.array(toldSchema).describe(`What there is to say of single ones, at most ${maxToldSteps}.`),
})
export type ImportRecord = z.infer<typeof importSchema>
