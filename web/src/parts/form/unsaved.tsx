import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ShouldBlockFn, useBlocker } from '@tanstack/react-router'
import { type ReactNode, createContext, use, useCallback, useMemo, useState } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '../button.tsx'
import { Modal } from '../overlays/modal.tsx'

/** A form that would lose what a person typed or chose in it. */
type Held = {
  isChanged: () => boolean
  /** Whether nothing is lost where the page goes on at this address. */
  mayGoTo: (pathname: string) => boolean
  /** The person leaves it all the same. */
  forget: () => void
}

/** Has a form asked about as long as it is there. Returns its end. */
type Watch = (held: Held) => () => void

/** Where there is none, forms are left without a question, as at the doors of the console. */
export const WatchContext = createContext<Watch | null>(null)

/** Goes on, after a question where a form would lose something. */
type Leave = (goOn: () => void) => void

const LeaveContext = createContext<Leave>((goOn) => goOn())

/** For what ends the page, or a part of it, without going to another address. */
export function useLeave(): Leave {
  return use(LeaveContext)
}

/** Around pages: asks before one is left with a form that a person has changed, also when the tab is closed. */
export function UnsavedForms({ children }: { children: ReactNode }): ReactNode {
  const { all, watch, isAnyChanged, forgetChanged, leave, question } = useForms(null)
  const shouldBlockFn: ShouldBlockFn = useCallback(
    ({ next }) => [...all].some((held) => held.isChanged() && !held.mayGoTo(next.pathname)),
    [all],
  )
  const leaving = useBlocker({ shouldBlockFn, enableBeforeUnload: isAnyChanged, withResolver: true })
  return (
    <WatchContext value={watch}>
      <LeaveContext value={leave}>{children}</LeaveContext>
      {question}
      {leaving.status === 'blocked' && (
        <Question
          onStay={leaving.reset}
          onLeave={() => {
            forgetChanged()
            leaving.proceed()
          }}
        />
      )}
    </WatchContext>
  )
}

/** The same for a dialog, whose forms end with it: `watch` is for them, `close` asks before it ends. */
export function useDialogForms(onClose: () => void): Pick<Forms, 'watch' | 'question'> & { close: () => void } {
  const { watch, leave, question } = useForms(use(WatchContext))
  return { watch, question, close: () => leave(onClose) }
}

type Forms = {
  all: ReadonlySet<Held>
  watch: Watch
  isAnyChanged: () => boolean
  forgetChanged: () => void
  leave: Leave
  question: ReactNode
}

/** The forms of a page or a dialog; `outer` is told of them, too. */
function useForms(outer: Watch | null): Forms {
  const [all] = useState(() => new Set<Held>())
  const [asked, setAsked] = useState<{ goOn: () => void } | null>(null)
  const rules = useMemo(() => {
    const isAnyChanged = (): boolean => [...all].some((held) => held.isChanged())
    const watch: Watch = (held) => {
      const end = outer?.(held)
      all.add(held)
      return () => {
        all.delete(held)
        end?.()
      }
    }
    const forgetChanged = (): void => {
      for (const held of all) if (held.isChanged()) held.forget()
    }
    const leave: Leave = (goOn) => (isAnyChanged() ? setAsked({ goOn }) : goOn())
    return { watch, isAnyChanged, forgetChanged, leave }
  }, [all, outer])
  const stay = (): void => setAsked(null)
  const question = asked !== null && (
    <Question
      onStay={stay}
      onLeave={() => {
        // First alone: each dialog gives the focus back to where it had it from.
        flushSync(stay)
        rules.forgetChanged()
        asked.goOn()
      }}
    />
  )
  return { all, ...rules, question }
}

function Question({ onStay, onLeave }: { onStay: () => void; onLeave: () => void }): ReactNode {
  return (
    <Modal title={t`Leave without saving?`} onClose={onStay}>
      <p className="text-muted">
        <Trans>What you changed here is not saved, and would be lost.</Trans>
      </p>
      <div className="mt-4 flex flex-wrap gap-2">
        <Button look="primary" onClick={onStay}>
          <Trans>Stay</Trans>
        </Button>
        <Button look="danger" onClick={onLeave}>
          <Trans>Leave</Trans>
        </Button>
      </div>
    </Modal>
  )
}
