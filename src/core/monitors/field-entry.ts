// What an entry of the table of a monitor's fields consists of (monitor-fields.ts).
import type { z } from 'zod'

/**
 * What a change means for the checks: `none` when neither probers nor engine read the field, `settings` when they do,
 * `target` when another thing is watched, so that streaks, status and incident begin anew.
 */
export type ChangeEffect = 'none' | 'settings' | 'target'

/** Stands for a value that depends on more than the field itself: `decideByRule` (monitor-input.ts) says how. */
export const byRule: ByRule = { isDecidedByRule: true }
export type ByRule = { readonly isDecidedByRule: true }

type Setting<Input extends z.ZodType, Kept extends z.ZodType, Initial extends z.output<Kept> | ByRule> = {
  /** What a caller may give, by the rules that need no other field. */
  input: Input
  /** What a monitor is set to. */
  kept: Kept
  /** What a new monitor has where nothing was given; a change leaves what was. */
  initial: Initial
  onChange: ChangeEffect
}

type Shown<Schema extends z.ZodType> = {
  /** What the API shows. */
  shown: Schema
  /** In the API's description. */
  example: z.output<Schema>
}

/** A field that callers set and the API shows as it is kept. */
export function setting<Input extends z.ZodType, Kept extends z.ZodType, Initial extends z.output<Kept> | ByRule>(
  field: Omit<Setting<Input, Kept, Initial>, 'kept'> & Shown<Kept>,
): Setting<Input, Kept, Initial> & Shown<Kept> {
  return { ...field, kept: field.shown }
}

/** A field that callers only read. */
export function fact<Schema extends z.ZodType>(shown: Schema, example: z.output<Schema>): Shown<Schema> {
  return { shown, example }
}
