import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, useEffect, useRef } from 'react'
import { ButtonLink } from '../../parts/button.tsx'
import { type Progress, type StepName, isStepDone, stepTitles } from './steps.ts'

const leads: Readonly<Record<StepName, MessageDescriptor>> = {
  workspace: msg`Monitors, contacts and members are in a workspace. Its name is shown in the menu and in invitations.`,
  monitors: msg`Websites, servers, ports: anything that has an address. Each is checked once before it is watched.`,
  contacts: msg`They are alerted when something goes down and when it recovers.`,
  'status-page': msg`A public page tells your users how things are before they ask.`,
  done: msg`This is how things are now. Everything can be changed at any time.`,
}

type FrameProps = { steps: readonly StepName[]; step: StepName; progress: Progress; children: ReactNode }

/** A step: its heading, which has the focus as it appears, what is to be done, and the ways on and back. */
export function StepFrame({ steps, step, progress, children }: FrameProps): ReactNode {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const index = steps.indexOf(step)
  const before = steps[index - 1]
  // A name that was chosen is asked for no more.
  const after = steps.slice(index + 1).find((each) => each !== 'workspace' || !isStepDone(each, progress))
  const isDone = isStepDone(step, progress)
  return (
    <section aria-labelledby="step" className="rounded-xl border border-line bg-surface">
      <div className="p-5 sm:p-6">
        <h2 id="step" ref={heading} tabIndex={-1} className="text-lg font-semibold focus-visible:outline-none">
          {i18n._(stepTitles[step])}
        </h2>
        <p className="mt-0.5 mb-5 max-w-xl text-muted">{i18n._(leads[step])}</p>
        {children}
      </div>
      <div className="flex flex-wrap items-center justify-between gap-2 border-t border-line px-5 py-4 sm:px-6">
        {before === undefined ? (
          <span />
        ) : (
          <span className="-ml-3.5">
            <ButtonLink to="/welcome" search={{ step: before }} look="quiet">
              <Trans>Back</Trans>
            </ButtonLink>
          </span>
        )}
        {after === undefined ? (
          <ButtonLink to="/monitors" look="primary">
            <Trans>To the monitors</Trans>
          </ButtonLink>
        ) : (
          // The name of the workspace has its own button beside this one, although it has a name from the beginning.
          <ButtonLink
            to="/welcome"
            search={{ step: after }}
            look={isDone && step !== 'workspace' ? 'primary' : 'secondary'}
          >
            {isDone ? <Trans>Next</Trans> : <Trans>Skip this step</Trans>}
          </ButtonLink>
        )}
      </div>
    </section>
  )
}
