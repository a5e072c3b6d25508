import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Check } from '../../parts/icons.tsx'
import { type Progress, type StepName, stepAfter } from './steps.ts'

/** Leaves the present step, which is done, and says above the next one what came of it. */
export type GoOn = (outcome: ReactNode) => Promise<void>

type Going = { steps: readonly StepName[]; step: StepName | undefined; progress: Progress }

/** `outcome` is that of the step before, until a person goes elsewhere. */
export function useGoingOn({ steps, step, progress }: Going): { goOn: GoOn; outcome: ReactNode } {
  const navigate = useNavigate()
  const [said, setSaid] = useState<{ at: StepName; outcome: ReactNode } | null>(null)
  // An answer that comes late takes a person nowhere who has gone elsewhere meanwhile.
  const present = useRef<StepName | undefined>(undefined)
  useEffect(() => {
    present.current = step
    return () => void (present.current = undefined)
  }, [step])
  const goOn: GoOn = async (outcome) => {
    if (step === undefined || present.current !== step) return
    const next = stepAfter(steps, progress, step)
    setSaid({ at: next, outcome })
    await navigate({ to: '/welcome', search: { step: next } })
  }
  return { goOn, outcome: said !== null && said.at === step ? said.outcome : null }
}

/** It is always there, so that screen readers are told as it fills. */
export function Outcome({ children }: { children: ReactNode }): ReactNode {
  return (
    <div role="status">
      {children !== null && (
        <div className="mb-4 flex items-start gap-3 rounded-xl bg-good-soft px-4 py-3">
          <span aria-hidden="true" className="mt-0.5 shrink-0 text-good">
            <Check />
          </span>
          <div className="min-w-0 grow">{children}</div>
        </div>
      )}
    </div>
  )
}
