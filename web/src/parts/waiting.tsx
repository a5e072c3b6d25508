import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, Suspense, useEffect, useReducer, useState } from 'react'

const patienceMs = 250

type AwaitedProps = { fallback?: ReactNode; children: ReactNode }

/**
 * A `Suspense` that shows its children as soon as their answers are there. React alone would wait until 300 ms after the
 * fallback, so that nothing flickers (`FALLBACK_THROTTLE_MS`). Our fallbacks show nothing at first, so nothing can
 * flicker: this boundary is drawn again with each answer, and React then does not wait.
 */
export function Awaited({ fallback, children }: AwaitedProps): ReactNode {
  const client = useQueryClient()
  const [, drawAgain] = useReducer((count: number) => count + 1, 0)
  useEffect(
    () =>
      client.getQueryCache().subscribe((event) => {
        if (event.type === 'updated' && event.action.type === 'success') drawAgain()
      }),
    [client],
  )
  return <Suspense fallback={fallback}>{children}</Suspense>
}

/** Nothing for a moment, so that quick pages do not flash; then where something will be. */
export function Waiting(): ReactNode {
  return (
    <Late>
      <Page />
    </Late>
  )
}

/** The same for a whole window, with what stands around every page for people who are signed in. */
export function WaitingFrame(): ReactNode {
  return (
    <Late>
      <div className="mx-auto flex min-h-dvh max-w-7xl max-md:flex-col">
        <div className="flex shrink-0 flex-col gap-4 border-line p-3 max-md:border-b md:h-dvh md:w-60 md:border-r">
          <div className="h-8 w-32 rounded-lg bg-sunken" />
          <div className="flex flex-col gap-3 max-md:hidden">
            {Array.from({ length: 8 }, (_, index) => (
              <div key={index} className="h-7 rounded-lg bg-sunken" />
            ))}
          </div>
        </div>
        <div className="min-w-0 grow px-4 pt-6 md:px-10 md:py-8">
          <Page />
        </div>
      </div>
    </Late>
  )
}

/** The same for a part of a page; `className` says how tall it will be. */
export function WaitingPart({ className }: { className: string }): ReactNode {
  return (
    <div className={className}>
      <Late>
        <div className={`rounded-xl bg-sunken/50 ${className}`} />
      </Late>
    </div>
  )
}

function Page(): ReactNode {
  return (
    <div className="flex max-w-3xl flex-col gap-4">
      <div className="h-7 w-48 rounded-lg bg-sunken" />
      <div className="h-4 w-80 max-w-full rounded bg-sunken" />
      <div className="mt-2 h-40 rounded-xl border border-line bg-sunken/50" />
    </div>
  )
}

function Late({ children }: { children: ReactNode }): ReactNode {
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), patienceMs)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div role="status" data-waiting="">
      {isLate && (
        <>
          <p className="sr-only">{t`Loading …`}</p>
          <div aria-hidden="true" className="animate-pulse">
            {children}
          </div>
        </>
      )}
    </div>
  )
}
