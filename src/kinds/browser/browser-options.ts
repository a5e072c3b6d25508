import { z } from 'zod'
import { text } from '#core/language/text.ts'
import { checkNames, namesIn, secrets, totpName } from '#kinds/transaction/capture-options.ts'
import { isPath } from '#kinds/transaction/transaction-options.ts'
import { totpSecret } from '#kinds/transaction/totp-option.ts'
import { script } from './script-option.ts'
import { webTargetProblem } from '#kinds/web/web-target.ts'

export const maxSteps = 20
const longestValue = 2_000

const names = [
  'open',
  'click',
  'fill',
  'select',
  'press',
  'expect_text',
  'expect_no_text',
  'expect_visible',
  'expect_hidden',
  'expect_url',
  'expect_title',
] as const
type Action = (typeof names)[number]

/** Whether an action names an element, and whether it has a value. */
const takes: Readonly<Record<Action, { element: 'needed' | 'optional' | 'none'; value: 'needed' | 'none' }>> = {
  open: { element: 'none', value: 'needed' },
  click: { element: 'needed', value: 'none' },
  fill: { element: 'needed', value: 'needed' },
  select: { element: 'needed', value: 'needed' },
  press: { element: 'optional', value: 'needed' },
  expect_text: { element: 'optional', value: 'needed' },
  expect_no_text: { element: 'optional', value: 'needed' },
  expect_visible: { element: 'needed', value: 'none' },
  expect_hidden: { element: 'needed', value: 'none' },
  expect_url: { element: 'none', value: 'needed' },
  expect_title: { element: 'none', value: 'needed' },
}

const step = z
  .strictObject({
    name: text({ min: 1, max: 60 })
      .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, 'Must be one line.')
      .optional()
      .describe('What the step is called in texts of failures, such as "Sign in".'),
    action: z.enum(names).describe('What is done, or what must be seen before the time of the step is over.'),
    element: text({ min: 1, max: 500 })
      .optional()
      .describe(
        'The element, by a CSS selector or as Playwright finds it, such as `text=Sign in` or `role=button[name="Pay"]`. Of several the first.',
      ),
    value: text({ min: 1, max: longestValue })
      .optional()
      .describe(
        'What is filled in, chosen or pressed, the text that is expected, a part of the URL or of the title, or the URL or path to open.',
      ),
  })
  .superRefine(checkStep)
export type BrowserStep = z.infer<typeof step>

const consequence = z.enum(['ignore', 'degraded', 'down']).optional()

const given = z.strictObject({
  device: z
    .enum(['desktop', 'phone'])
    .optional()
    .describe('Whether the page is seen at 1280 × 720 points, or as a phone of 390 × 844 shows it. Default desktop.')
    .meta({ default: 'desktop' }),
  steps: z
    .array(step)
    .max(maxSteps)
    .optional()
    .describe(
      'What a visitor does once the page has loaded. The visit ends at the first step that fails, and is down.',
    ),
  script,
  secrets,
  totp_secret: totpSecret,
  accept_any_certificate: z
    .boolean()
    .optional()
    .describe("Whether the certificate of the target's host need not be valid. Default false.")
    .meta({ default: false }),
  console_errors: consequence
    .describe('What errors in the console of the page mean. They are counted in any case. Default ignore.')
    .meta({ default: 'ignore' }),
  failed_requests: consequence
    .describe(
      'What requests of the page mean that have no answer, or a status of 400 or more. They are counted in any case. Default ignore.',
    )
    .meta({ default: 'ignore' }),
  max_load_ms: milliseconds('the page has loaded'),
  max_lcp_ms: milliseconds('the largest content was painted (Largest Contentful Paint)'),
  max_cls: z
    .number()
    .min(0)
    .max(10)
    .optional()
    .describe('Degraded above this layout shift (Cumulative Layout Shift). Google calls 0.1 good. Default: any.'),
})
export type BrowserOptions = z.infer<typeof given>

export const browserOptions: z.ZodType<BrowserOptions> = given
  .superRefine(checkSecrets)
  .describe('A visit to a page with a real browser.')

function milliseconds(what: string) {
  return z
    .int()
    .min(1)
    .max(60_000)
    .optional()
    .describe(`Degraded when it takes longer than this, in milliseconds, until ${what}. Default: any time.`)
}

function checkStep({ action, element, value }: BrowserStep, context: z.RefinementCtx): void {
  const refuse = (field: string, message: string): void => context.addIssue({ code: 'custom', path: [field], message })
  const taken = takes[action]
  if (taken.element === 'needed' && element === undefined) refuse('element', `Is needed by the action ${action}.`)
  if (taken.element === 'none' && element !== undefined) refuse('element', `Has no meaning for the action ${action}.`)
  if (taken.value === 'needed' && value === undefined) refuse('value', `Is needed by the action ${action}.`)
  if (taken.value === 'none' && value !== undefined) refuse('value', `Has no meaning for the action ${action}.`)
  if (action !== 'open' || value === undefined || isPath(value)) return
  const problem = webTargetProblem(value, () => false)
  if (problem !== null) refuse('value', problem)
}

/** Steps write secrets by their names. */
function checkSecrets(
  { steps = [], secrets: kept = [], totp_secret: totp }: BrowserOptions,
  context: z.RefinementCtx,
): void {
  checkNames({ steps: [], secrets: kept }, context)
  const known = new Set([...kept.map(({ name }) => name), ...(totp === undefined ? [] : [totpName])])
  for (const [index, { value = '' }] of steps.entries()) {
    const unknown = namesIn(value).find((name) => !known.has(name))
    if (unknown !== undefined)
      context.addIssue({ code: 'custom', path: ['steps', index, 'value'], message: `There is no secret ${unknown}.` })
  }
}
