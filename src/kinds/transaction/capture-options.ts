import { z } from 'zod'
import { pathProblem } from '#core/language/json-path.ts'
import { text } from '#core/language/text.ts'
import { headerName } from '#core/monitors/request-headers.ts'
import { selectorProblem } from '#kinds/web/expectation-problems.ts'
import { pattern } from '#kinds/web/web-options.ts'

const maxCapturesOfStep = 10
/** How a later step writes that it takes a value. */
const placeholder = /\{\{([A-Za-z][A-Za-z0-9_]{0,39})\}\}/g

/** The code of an authenticator, where the monitor has its secret. */
export const totpName = 'totp'

const sources = ['json_path', 'header', 'pattern', 'selector'] as const

const valueName = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_]{0,39}$/, 'Must be a letter with up to 39 letters, digits and underscores.')
  .refine((name) => name !== totpName, 'Is the code of the authenticator.')

const secret = z.strictObject({
  name: valueName.describe('Steps write it as `{{name}}` in their `url`, `headers` and `body`.'),
  // A monitor as it was read has none.
  value: text({ min: 1, max: 2_000 }).optional().describe('What they send. Kept encrypted and never returned.'),
})

const maxSecrets = 20

export const secrets = z
  .array(secret)
  .max(maxSecrets)
  .optional()
  .describe('Values that steps send and that stay secret, such as a password.')

const capture = z
  .strictObject({
    name: valueName.describe('Later steps write it as `{{name}}` in their `url`, `headers` and `body`.'),
    json_path: text({ min: 1, max: 200 })
      .superRefine((path, context) => {
        const problem = pathProblem(path)
        if (problem !== null) context.addIssue({ code: 'custom', message: problem })
      })
      .optional()
      .describe('Where it stands in the JSON of the answer.'),
    header: headerName.optional().describe('The value of this header of the answer.'),
    pattern: pattern
      .optional()
      .describe('Regular expression in the syntax of RE2: its first group, or all that it matches first.'),
    selector: text({ min: 1, max: 500 })
      .superRefine((selector, context) => {
        const problem = selectorProblem(selector)
        if (problem !== null) context.addIssue({ code: 'custom', message: problem })
      })
      .optional()
      .describe('CSS selector: the text of its first element.'),
    selector_attribute: text({ min: 1, max: 100 })
      .optional()
      .describe('With `selector`: this attribute of the first element that has it, instead of the text.'),
  })
  .superRefine((given, context) => {
    const named = sources.filter((source) => given[source] !== undefined)
    if (named.length !== 1)
      context.addIssue({
        code: 'custom',
        path: [named[1] ?? 'json_path'],
        message: `Must be one of ${sources.join(', ')}.`,
      })
    if (given.selector_attribute !== undefined && given.selector === undefined)
      context.addIssue({ code: 'custom', path: ['selector_attribute'], message: 'Needs a selector.' })
  })
export type Capture = z.infer<typeof capture>

export const captures = z
  .array(capture)
  .max(maxCapturesOfStep)
  .optional()
  .describe('What of the answer later steps send. The step fails where something is not there.')

type Capturing = { captures?: readonly Capture[] | undefined }

type Naming = { steps: readonly Capturing[]; secrets?: readonly { name: string }[] | undefined }

/** Each name has one value, so that a reader sees which. */
export function checkNames({ steps, secrets: kept = [] }: Naming, context: z.RefinementCtx): void {
  const seen = new Set<string>()
  for (const [at, { name }] of kept.entries()) {
    if (seen.has(name))
      context.addIssue({
        code: 'custom',
        path: ['secrets', at, 'name'],
        message: `Is the name of another one: ${name}.`,
      })
    seen.add(name)
  }
  for (const [at, step] of steps.entries())
    for (const [place, { name }] of (step.captures ?? []).entries()) {
      if (seen.has(name))
        context.addIssue({
          code: 'custom',
          path: ['steps', at, 'captures', place, 'name'],
          message: kept.some((each) => each.name === name)
            ? `Is the name of a secret: ${name}.`
            : `Is captured before: ${name}.`,
        })
      seen.add(name)
    }
}

/** The names that a text takes, known or not. */
export function namesIn(given: string): string[] {
  return Array.from(given.matchAll(placeholder), ([, name = '']) => name)
}

/** Names that are not known stay as they are written. */
export function fillIn(given: string, values: ReadonlyMap<string, string>, write: (value: string) => string): string {
  return given.replaceAll(placeholder, (whole, name: string) => {
    const value = values.get(name)
    return value === undefined ? whole : write(value)
  })
}
