import { overLimitText } from '#core/projects/limits.ts'
import { type Plan, shownChange, toPrune } from '#core/projects/plan.ts'
import type { PlanPrice } from '#core/projects/plan-price.ts'
import type { PresentEntry } from '#core/projects/present.ts'
import type { ProjectEntry } from '#core/projects/project.ts'
import type { Pruning } from '#core/projects/prune.ts'
import { shownReference } from '#core/projects/references.ts'
import { printable } from '#cli/table.ts'

const longestValue = 100

/** A line for each object and each field, and a sentence that sums up. */
export function planText(plan: Plan, price: PlanPrice | null): string {
  const namesakes = new Set(plan.namesakes.map(({ entry }) => entry))
  const lines = [
    ...plan.adoptions.map(({ entry, present }) => `= ${nameOf(entry)}  adopts ${shown(present.name)}`),
    ...plan.changes.flatMap((change) => {
      if (change.type === 'change')
        return [`~ ${nameOf(change.entry)}`, ...change.fields.map((field) => fieldLine(field, change.entry))]
      const hint = namesakes.has(change.entry) ? '  (the workspace has one of this name)' : ''
      return [`+ ${nameOf(change.entry)}${hint}`]
    }),
    ...plan.gone.map(goneLine),
    ...plan.unclear.map(
      (reference) => `? ${reference.to}: ${shownReference(reference)} is missing or ambiguous in the workspace`,
    ),
  ]
  lines.push(...plan.overLimits.map((over) => `! ${overLimitText(over)}`))
  return [...lines, summaryOf(plan), ...(price === null ? [] : [priceText(price)]), ''].join('\n')
}

function goneLine(pruning: Pruning): string {
  const { present } = pruning
  const name = `${nameOf(present)}  ${shown(present.name)}`
  if (pruning.type === 'rests') return `. ${name} is deleted by the first --prune after ${pruning.until}`
  return `- ${name} is no longer in the files`
}

function priceText({ monitors, monthlyCents, lifetimeCents, creditCents, isPayable }: PlanPrice): string {
  const costs = [
    ...(monthlyCents > 0 ? [`${dollars(monthlyCents)} every 30 days`] : []),
    ...(lifetimeCents > 0 ? [`${dollars(lifetimeCents)} once`] : []),
  ]
  const few = monitors === 1 ? '1 new monitor has' : `${monitors} new monitors have`
  const means = isPayable
    ? `the credit is ${dollars(creditCents)}`
    : `the service takes no payments, and the credit is ${dollars(creditCents)}`
  return `${few} no free slot: ${costs.join(', ')}; ${means}.`
}

export function dollars(cents: number): string {
  return `$${(cents / 100).toFixed(2)}`
}

function nameOf({ section, key }: ProjectEntry | PresentEntry): string {
  return `${section}.${key}`
}

function fieldLine(change: Parameters<typeof shownChange>[0], entry: ProjectEntry): string {
  const { field, before, after, isShown, isOther = false } = shownChange(change, entry)
  if (isShown) return `    ${printable(field)}: ${shown(before)} -> ${shown(after)}`
  return `    ${printable(field)}: ${change.after === null && change.before === null && !isOther ? 'will be set' : 'differs'}`
}

function shown(value: unknown): string {
  const text = JSON.stringify(value)
  return printable(text.length > longestValue ? `${text.slice(0, longestValue)}…` : text)
}

function summaryOf({ project, changes, adoptions, unclear, ...plan }: Plan): string {
  const creates = changes.filter(({ type }) => type === 'create').length
  const counts: [number, string][] = [
    [adoptions.length, 'to adopt'],
    [creates, 'to create'],
    [changes.length - creates, 'to change'],
    [toPrune(plan).length, 'no longer in the files'],
    [unclear.length, unclear.length === 1 ? 'ambiguous name' : 'ambiguous names'],
  ]
  const told = counts.filter(([count]) => count > 0).map(([count, words]) => `${count} ${words}`)
  return told.length === 0 ? `${project}: the workspace matches the files.` : `${project}: ${told.join(', ')}.`
}
