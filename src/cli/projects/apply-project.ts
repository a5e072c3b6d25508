import { overLimitText } from '#core/projects/limits.ts'
import { type Plan, toPrune } from '#core/projects/plan.ts'
import { inOrder, labelOf } from '#core/projects/order.ts'
import { presentEntries } from '#core/projects/present.ts'
import type { Project } from '#core/projects/project.ts'
import { type Reference, shownReference } from '#core/projects/references.ts'
import { StartError } from '#store/database/start-error.ts'
import { postTo, type Service } from '#cli/service.ts'
import type { Applied, ApplyEvent } from './apply-events.ts'
import { priced } from './apply-money.ts'
import { applySteps, type Step } from './apply-steps.ts'
import { askExport } from './export.ts'
import { makePlan } from './make-plan.ts'
import { pacedService } from './paced-service.ts'
import { trySteps } from './try-steps.ts'

export type ApplyOptions = {
  /** Takes what has the name of an entry, and belongs to no project, for the entry. */
  adopts: boolean
  /** Makes an entry also where something of its name belongs to no project, and is not adopted. */
  makesNamesakes: boolean
  payUpToCents: number
  /** Whether new and changed checks are tried before anything is written. */
  tries: 'must pass' | 'may fail' | 'none'
  /** How many objects that stand in the files no more may be put to rest or deleted; `tenth`: a tenth of all. */
  prune: number | 'tenth' | 'none'
  report: (event: ApplyEvent) => void
  /** Gets what the service shows once: `signing_secret` of a contact, `heartbeat_url` of a monitor. */
  keepSecret: (label: string, name: string, value: string) => void
}

/**
 * Makes a workspace as the files of a project say: creates and changes, in an order in which each comes after what it
 * names. Ended at any moment and begun again it comes to the same state. Throws StartError where nothing was changed.
 */
export async function applyProject(service: Service, project: Project, options: ApplyOptions): Promise<Applied> {
  const workspace = await askExport(service)
  const onWait = (seconds: number): void => options.report({ type: 'waiting', seconds })
  const { plan, isWhole } = await makePlan(service, { project, workspace, adopts: options.adopts, onWait })
  if (!isWhole) throw new StartError('Nothing was changed. The token has read scope only.')
  refuseUnclear(plan, options)
  const paced = pacedService(service, onWait)
  const events: ApplyEvent[] = []
  const report = (event: ApplyEvent): void => {
    events.push(event)
    options.report(event)
  }
  const wanted = [...creationsIn(plan, project), ...changesIn(plan), ...prunedIn(plan, options.prune)]
  const steps = await priced(wanted, { service, paced, payUpToCents: options.payUpToCents })
  const failing = options.tries === 'none' ? [] : await trySteps(steps, { service: paced, report })
  if (failing.length > 0 && options.tries === 'must pass')
    throw new StartError(
      `Nothing was changed: ${failing.length === 1 ? '1 check fails' : `${failing.length} checks fail`}. ` +
        'To apply anyway, give --allow-failing.',
    )
  await adopt(service, plan)
  for (const { entry } of plan.adoptions) report({ type: 'adopted', label: labelOf(entry) })
  await applySteps(steps, {
    project,
    service: paced,
    targetsOf: plan.targetsOf,
    labels: new Map(plan.pairs.map(({ entry, present }) => [present.id, labelOf(entry)])),
    findOwned: async (label) => {
      const owned = presentEntries(await askExport(service), project.id).filter((each) => each.project === project.id)
      return owned.find((each) => labelOf(each) === label)?.id ?? null
    },
    report,
    keepSecret: options.keepSecret,
  })
  return { project: project.id, events }
}

function creationsIn({ changes }: Plan, { findReference }: Project): Step[] {
  const entries = changes.flatMap(({ type, entry }) => (type === 'create' ? [entry] : []))
  return inOrder(entries, findReference).map((entry) => ({ type: 'create', entry, maxCents: 0 }))
}

function changesIn({ changes }: Plan): Step[] {
  return changes.flatMap((change) => {
    if (change.type === 'create') return []
    const { entry, present, fields } = change
    return [{ type: 'change', entry, present, fields, maxCents: 0 }]
  })
}

/** What belongs to another project was made by its files, and may well have the same name. */
function refuseUnclear({ unclear, overLimits, namesakes }: Plan, { makesNamesakes }: ApplyOptions): void {
  const words = unclear.map((reference: Reference) => `${reference.to} ${shownReference(reference)}`)
  if (words.length > 0)
    throw new StartError(`Nothing was changed. Missing or ambiguous in the workspace: ${words.join(', ')}.`)
  if (overLimits.length > 0) throw new StartError(`Nothing was changed: ${overLimits.map(overLimitText).join('; ')}.`)
  const open = makesNamesakes ? [] : namesakes.filter(({ present }) => present.project === null)
  if (open.length === 0) return
  const labels = open.map(({ entry }) => labelOf(entry)).slice(0, maxNamed)
  const more = open.length > maxNamed ? ` and ${open.length - maxNamed} more` : ''
  throw new StartError(
    `Nothing was changed. The workspace already has objects with the names of ${labels.join(', ')}${more} that belong to ` +
      'no project. To use them for these entries, give --adopt. To create new ones next to them, give --namesakes.',
  )
}

/** What names others goes before them. */
function prunedIn(plan: Plan, prune: ApplyOptions['prune']): Step[] {
  const due = prune === 'none' ? [] : toPrune(plan)
  if (due.length === 0) return []
  if (plan.pairs.length + plan.changes.length === 0)
    throw new StartError('Nothing was changed. The files have no entries, and pruning with empty files is not allowed.')
  const allowed = prune === 'tenth' ? Math.ceil((plan.pairs.length + plan.gone.length) / 10) : prune
  if (due.length > Number(allowed))
    throw new StartError(
      `Nothing was changed. ${due.length} objects are no longer in the files, but only ${allowed} may be pruned at a time. ` +
        `If that is right, give --prune=${due.length}.`,
    )
  return due
    .map(({ type, present }): Step => ({ type: type === 'delete' ? 'delete' : 'rest', entry: present }))
    .toReversed()
}

const maxNamed = 10

async function adopt(service: Service, { project, adoptions }: Plan): Promise<void> {
  const objects = adoptions.map(({ entry: { section, key }, present: { id } }) => ({ section, key, id }))
  if (objects.length === 0) return
  const answer = await postTo(service, 'project-objects', { project, objects })
  if (!answer.ok) throw new StartError(answer.problem)
}
