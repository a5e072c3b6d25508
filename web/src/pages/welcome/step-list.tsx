import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { createLink } from '@tanstack/react-router'
import type { AnchorHTMLAttributes, ReactNode } from 'react'
import { Check } from '../../parts/icons.tsx'
import { type Progress, type StepName, isStepDone, stepTitles } from './steps.ts'

type ListProps = { steps: readonly StepName[]; step: StepName; progress: Progress }

/**
 * The present step and the finished ones; each leads to itself. On small screens only the present one shows its name.
 */
export function StepList({ steps, step: present, progress }: ListProps): ReactNode {
  return (
    <nav aria-label={t`Steps`} className="mb-6">
      <ol className="flex items-center gap-1 max-sm:justify-between sm:gap-2">
        {steps.map((step, index) => {
          const [isPresent, isDone] = [step === present, isStepDone(step, progress)]
          return (
            <li key={step} className="sm:min-w-0 sm:grow">
              <StepLink
                to="/welcome"
                search={{ step }}
                className="group flex min-h-9 items-center gap-2 rounded-lg border-b-2 border-transparent px-1.5 py-1 text-sm text-muted hover:bg-sunken hover:text-text aria-[current=step]:text-text"
              >
                <span
                  aria-hidden="true"
                  className={`flex size-6 shrink-0 items-center justify-center rounded-full border text-xs font-medium ${circleOf({ isPresent, isDone })}`}
                >
                  {isDone ? <Check /> : index + 1}
                </span>
                <span className={isPresent ? 'font-medium' : 'max-sm:sr-only'}>{i18n._(stepTitles[step])}</span>
                {isDone && (
                  <span className="sr-only">
                    <Trans>(done)</Trans>
                  </span>
                )}
              </StepLink>
            </li>
          )
        })}
      </ol>
    </nav>
  )
}

/** The router calls the present one a page. */
const StepLink = createLink(function Step({ children, ...props }: AnchorHTMLAttributes<HTMLAnchorElement>) {
  return (
    <a {...props} aria-current={props['aria-current'] === 'page' ? 'step' : undefined}>
      {children}
    </a>
  )
})

function circleOf({ isPresent, isDone }: { isPresent: boolean; isDone: boolean }): string {
  if (isPresent) return 'border-accent bg-accent text-white'
  return isDone ? 'border-good-bar bg-good-soft text-good' : 'border-edge/60'
}
