import { type ReactNode, createContext, use, useCallback, useEffect, useMemo, useState } from 'react'
import { keepFree } from './free-place.ts'

const shownMs = 5000

type Toast = { text: string }
type Places = { toast: Toast | null; come: () => () => void }

const ToastContext = createContext<(text: string) => void>(() => {})
const PlacesContext = createContext<Places>({ toast: null, come: () => () => {} })

/** Says that something is done, to eyes and to screen readers, without taking the focus. */
export const useToast = (): ((text: string) => void) => use(ToastContext)

export function ToastProvider({ children }: { children: ReactNode }): ReactNode {
  const [toast, setToast] = useState<Toast | null>(null)
  const [places, setPlaces] = useState(0)
  const show = useCallback((text: string) => setToast({ text }), [])
  const come = useCallback(() => {
    setPlaces((count) => count + 1)
    return () => setPlaces((count) => count - 1)
  }, [])
  useEffect(() => {
    if (toast === null) return
    const timer = setTimeout(() => setToast(null), shownMs)
    return () => clearTimeout(timer)
  }, [toast])
  const shown = useMemo(() => ({ toast, come }), [toast, come])
  return (
    <ToastContext value={show}>
      <PlacesContext value={shown}>
        {children}
        {places === 0 && (
          <div className="pointer-events-none fixed inset-x-4 bottom-4 z-20 flex justify-center">
            <Region toast={toast} />
          </div>
        )}
      </PlacesContext>
    </ToastContext>
  )
}

/** Where a frame has room for them. */
export function ToastPlace(): ReactNode {
  const { toast, come } = use(PlacesContext)
  useEffect(() => come(), [come])
  return <Region toast={toast} />
}

function Region({ toast }: { toast: Toast | null }): ReactNode {
  return (
    <div role="status" aria-live="polite" className="print:hidden">
      {toast !== null && (
        <p
          key={toast.text}
          ref={keepFree}
          className="rounded-lg bg-text px-4 py-2 text-sm font-medium text-ground shadow-lg wrap-anywhere"
        >
          {toast.text}
        </p>
      )}
    </div>
  )
}
