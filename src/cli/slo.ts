import { z } from 'zod'
import { exitCodeOf, type Verdict, verdictOf } from '#core/objectives/gate.ts'
import { ConfigError } from '#config/config.ts'
import { asksForHelp } from './arguments.ts'
import { readSloOrder, type SloOrder, sloUsage } from './slo-arguments.ts'
import { readFrom } from './service.ts'
import { type Paint, paintFor, styleOf } from './terminal/paint.ts'
import type { Terminal } from './terminal.ts'

const maxAnswerBytes = 4 * 1024 * 1024
const notAsked = 2

/** A service of a later release may say more. */
const sloSchema = z.object({
  id: z.string(),
  name: z.string(),
  objective: z.number(),
  window_days: z.number(),
  state: z.looseObject({
    attained: z.number().nullable(),
    is_met: z.boolean().nullable(),
    budget: z.looseObject({ left_percent: z.number() }).nullable(),
    burn_rates: z.looseObject({ '1h': z.number().nullable(), '6h': z.number().nullable() }),
  }),
})
type Slo = z.infer<typeof sloSchema>

const answerSchema = z.object({ data: z.array(sloSchema) })

type Checked = { slo: Slo; verdict: Verdict }

/** `perigee slo check`: see its usage. */
export async function runSlo(argv: readonly string[], terminal: Terminal): Promise<number> {
  if (asksForHelp(argv)) {
    terminal.out.write(sloUsage)
    return 0
  }
  const order = readOrder(argv)
  if (typeof order === 'string') {
    terminal.err.write(`${order}\n`)
    return notAsked
  }
  const answer = await ask(order)
  const chosen = typeof answer === 'string' ? answer : chosenOf(answer, order)
  if (typeof chosen === 'string') return refuse(chosen, { order, terminal })
  const checked = chosen.map((slo) => ({ slo, verdict: verdictOf(slo.state, order.maxBurn) }))
  const code = exitCodeOf(
    checked.map(({ verdict }) => verdict),
    order.allowsUnknown,
  )
  if (order.isJson) terminal.out.write(`${JSON.stringify(jsonOf(checked, code))}\n`)
  else for (const each of checked) terminal.out.write(`${lineOf(each, paintFor(terminal.out))}\n`)
  return code
}

/** What is wrong with the environment is no verdict: 1 would say that the budget is used up. */
function readOrder(argv: readonly string[]): SloOrder | string {
  try {
    return readSloOrder(argv)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
}

function refuse(problem: string, { order, terminal }: { order: SloOrder; terminal: Terminal }): number {
  if (order.isJson)
    terminal.out.write(`${JSON.stringify({ ok: false, exit_code: notAsked, error: problem, slos: [] })}\n`)
  else terminal.err.write(`${problem}\n`)
  return notAsked
}

/** What the service says, or why it says nothing. */
async function ask({ service }: SloOrder): Promise<Slo[] | string> {
  const asked = await readFrom(service, 'slos', maxAnswerBytes)
  if (!asked.ok) return asked.problem
  const answer = answerSchema.safeParse(asked.body)
  return answer.success ? answer.data.data : 'The answer of the service is not a list of objectives.'
}

/** A name may belong to several objectives: all of them count. */
function chosenOf(slos: readonly Slo[], { wanted }: SloOrder): readonly Slo[] | string {
  if (slos.length === 0) return 'The workspace has no objectives.'
  if (wanted.length === 0) return slos
  const isNamed = ({ id, name }: Slo, by: string): boolean => id === by.toLowerCase() || name === by
  const missing = wanted.find((by) => !slos.some((slo) => isNamed(slo, by)))
  if (missing !== undefined) return `The workspace has no objective ${JSON.stringify(missing)}.`
  return slos.filter((slo) => wanted.some((by) => isNamed(slo, by)))
}

const words: Readonly<Record<Verdict, string>> = {
  within: 'within budget',
  exceeded: 'over budget',
  burning: 'burning fast',
  unknown: 'unknown',
}

function lineOf({ slo: { name, objective, window_days: days, state }, verdict }: Checked, paint: Paint): string {
  const { attained, budget, burn_rates: burn } = state
  const label = `${paint(styleOf(verdict), words[verdict].padEnd(14))}  ${name}`
  if (attained === null || budget === null) return `${label}: no measurements`
  const goal = `${attained} % of ${objective} % over ${days} d`
  return `${label}: ${goal}, ${budget.left_percent} % of the budget left, burn rate ${burn['1h'] ?? '–'} (1 h), ${burn['6h'] ?? '–'} (6 h)`
}

function jsonOf(checked: readonly Checked[], code: number) {
  return {
    ok: code === 0,
    exit_code: code,
    slos: checked.map(({ slo: { id, name, objective, window_days, state }, verdict }) => ({
      id,
      name,
      verdict,
      objective,
      window_days,
      state,
    })),
  }
}
