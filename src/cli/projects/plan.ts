import { isDrift, type Plan, shownChange } from '#core/projects/plan.ts'
import { type PlanPrice, priceOf } from '#core/projects/plan-price.ts'
import { asksForHelp, readArguments } from '#cli/arguments.ts'
import { readService } from '#cli/service.ts'
import { usageOf } from '#cli/definitions/definition.ts'
import { planDefinition } from '#cli/definitions/projects.ts'
import { paintChanges, paintFor } from '#cli/terminal/paint.ts'
import { type Terminal, UsageError } from '#cli/terminal.ts'
import { askAccount } from './account.ts'
import { askExport } from './export.ts'
import { makePlan } from './make-plan.ts'
import { planText } from './plan-text.ts'
import { loadProject } from './project-files.ts'

const planUsage = usageOf(planDefinition)

const drifted = 2
const notKnown = 1

/** `perigee plan`: see its usage. */
export async function runPlan(argv: readonly string[], terminal: Terminal): Promise<number> {
  if (asksForHelp(argv)) {
    terminal.out.write(planUsage)
    return 0
  }
  try {
    return await plan(argv, terminal)
  } catch (error) {
    // Otherwise a wrong argument would end with the code of a difference.
    if (!(error instanceof UsageError)) throw error
    terminal.err.write(`${error.message}\n\n${error.usage}`)
    return notKnown
  }
}

async function plan(argv: readonly string[], { out, err }: Terminal): Promise<number> {
  const { values, positionals } = readArguments(argv, planDefinition.options, planUsage)
  const paths = values.file ?? []
  if (paths.length === 0 || positionals.length > 0)
    throw new UsageError('Name the project files, such as -f monitors/.', planUsage)
  const service = readService(values, planUsage)
  const project = loadProject(paths)
  const workspace = await askExport(service)
  const { plan: made, isWhole } = await makePlan(service, {
    project,
    workspace,
    adopts: values.adopt ?? false,
    onWait: () => {},
  })
  const price = priceOf(made, await askAccount(service))
  out.write(
    values.json === true
      ? `${JSON.stringify({ ...planJson(made), price: priceJson(price) })}\n`
      : paintChanges(planText(made, price), paintFor(out)),
  )
  if (!isWhole)
    err.write(
      'Secrets were only compared by whether they are set. To compare their values, use a token with write scope.\n',
    )
  return isDrift(made) ? drifted : 0
}

function priceJson(price: PlanPrice | null) {
  if (price === null) return null
  const { monitors, monthlyCents, lifetimeCents, creditCents, isPayable } = price
  return {
    monitors,
    monthly_cents: monthlyCents,
    lifetime_cents: lifetimeCents,
    credit_cents: creditCents,
    payments_enabled: isPayable,
  }
}

function planJson({ project, changes, adoptions, gone, unclear, overLimits }: Plan) {
  return {
    project,
    adopt: adoptions.map(({ entry: { section, key }, present: { id } }) => ({ section, key, id })),
    create: changes.flatMap(({ type, entry: { section, key } }) => (type === 'create' ? [{ section, key }] : [])),
    change: changes.flatMap((change) => {
      if (change.type === 'create') return []
      const { entry, present, fields } = change
      const shown = fields.map((field) => {
        const { before, after, isShown } = shownChange(field, entry)
        return isShown ? { field: field.field, before, after } : { field: field.field }
      })
      return [{ section: entry.section, key: entry.key, id: present.id, fields: shown }]
    }),
    gone: gone.map((pruning) => {
      const { section, key, id, name } = pruning.present
      return { section, key, id, name, ...(pruning.type === 'rests' ? { rests_until: pruning.until } : {}) }
    }),
    unclear,
    over_limits: overLimits.map(({ section, most, wouldHave }) => ({ section, most, would_have: wouldHave })),
  }
}
