import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { MemberRole } from '../../api/console.ts'

/** In the form in which the address of the page has them. */
const stepNames = ['monitors', 'contacts', 'status-page', 'workspace', 'done'] as const
export type StepName = (typeof stepNames)[number]

export const stepTitles: Readonly<Record<StepName, MessageDescriptor>> = {
  workspace: msg`Your workspace`,
  monitors: msg`What to watch`,
  contacts: msg`Who to alert`,
  'status-page': msg`Show it`,
  done: msg`Done`,
}

/** The contents of a workspace: everything by which the wizard tells which steps are done. */
export type Progress = { name: string; monitors: number; contacts: number; statusPages: number }

/** Names that nobody chose: of the first start, and of people who sign up. */
// oxlint-disable-next-line perigee/marked-texts -- names as the service stores them, whatever the language.
const givenNames: ReadonlySet<string> = new Set(['Perigee', 'My workspace'])

/** Only owners name a workspace. */
export function stepsFor(role: MemberRole): StepName[] {
  return stepNames.filter((step) => role === 'owner' || step !== 'workspace')
}

export function isStepDone(step: StepName, progress: Progress): boolean {
  const { name, monitors, contacts, statusPages } = progress
  switch (step) {
    case 'workspace':
      return isNameChosen(name)
    case 'monitors':
      return monitors > 0
    case 'contacts':
      return contacts > 0
    case 'status-page':
      return statusPages > 0
    case 'done':
      return false
  }
}

/** Whether a person chose the name of the workspace. */
export function isNameChosen(name: string): boolean {
  return !givenNames.has(name)
}

/** The step at which a returning person goes on. */
export function nextStep(steps: readonly StepName[], progress: Progress): StepName {
  return steps.find((step) => !isStepDone(step, progress)) ?? 'done'
}

/** The step after one that was just done: the next that is not. */
export function stepAfter(steps: readonly StepName[], progress: Progress, done: StepName): StepName {
  return nextStep(steps.slice(steps.indexOf(done) + 1), progress)
}
