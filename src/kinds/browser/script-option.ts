import { text } from '#core/language/text.ts'

const maxScriptLength = 16_384

/** Makes the function of which a script is the body, in which `await` may stand. It is never called. */
const AsyncFunction: new (program: string) => object = Object.getPrototypeOf(async () => {}).constructor

/** A script that cannot be read would fail in each check; it is read here, and run in a box alone. */
export const script = text({ min: 1, max: maxScriptLength })
  .superRefine((program, context) => {
    const problem = syntaxProblem(program)
    if (problem !== null) context.addIssue({ code: 'custom', message: problem })
  })
  .optional()
  .describe(
    "A program in JavaScript that runs after the steps, with `page`, `context` and `expect` of Playwright and the monitor's `secrets` by their names. Only where the operator allows scripts.",
  )

function syntaxProblem(program: string): string | null {
  try {
    Reflect.construct(AsyncFunction, [program])
    return null
  } catch (error) {
    return `Cannot be read as JavaScript: ${error instanceof Error ? error.message : String(error)}.`
  }
}
