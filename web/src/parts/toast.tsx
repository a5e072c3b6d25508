import { type ReactNode, createContext, use, useCallback, useEffect, useState } from 'react'

const shownMs = 5000

const ToastContext = createContext<(text: string) => void>(() => {})

/** Says that something is done, to eyes and to screen readers, without taking the focus. */
export const useToast = (): ((text: string) => void) => use(ToastContext)

export function ToastProvider({ children }: { children: ReactNode }): ReactNode {
  const [toast, setToast] = useState<{ text: string } | null>(null)
  const show = useCallback((text: string) => setToast({ text }), [])
  useEffect(() => {
    if (toast === null) return
    const timer = setTimeout(() => setToast(null), shownMs)
    return () => clearTimeout(timer)
  }, [toast])
  return (
    <ToastContext value={show}>
      {children}
      <div role="status" aria-live="polite" className="fixed inset-x-4 bottom-4 z-20 flex justify-center print:hidden">
        {toast !== null && (
          <p className="rounded-lg bg-text px-4 py-2 text-sm font-medium text-ground shadow-lg">{toast.text}</p>
        )}
      </div>
    </ToastContext>
  )
}
