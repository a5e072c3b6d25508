import { type ReactNode, type SyntheticEvent, useId, useLayoutEffect, useRef } from 'react'

type ModalProps = {
  title: string
  onClose: () => void
  /** With things side by side. */ isRoomy?: boolean
  children: ReactNode
}

/** The browser's own dialog: it holds the focus, ends with Escape, and needs no style of its own in the page. */
export function Modal({ title, onClose, isRoomy = false, children }: ModalProps): ReactNode {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  // Closed while it is still in the page: the focus then goes back to where it came from.
  useLayoutEffect(() => {
    const opened = dialog.current
    opened?.showModal()
    return () => opened?.close()
  }, [])
  const onCancel = (event: SyntheticEvent): void => {
    // What is within can be cancelled, too, such as the choice of a file.
    if (event.target !== event.currentTarget) return
    event.preventDefault()
    onClose()
  }
  // At a second Escape without another key between, browsers close a dialog whatever the page says: whether it ends is
  // for the page to decide all the same.
  const onForced = ({ target, currentTarget }: SyntheticEvent): void => {
    const closed = dialog.current
    if (target !== currentTarget || closed === null || closed.open) return
    closed.showModal()
    onClose()
  }
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={onCancel}
      onClose={onForced}
      className={`w-full ${isRoomy ? 'max-w-4xl' : 'max-w-md'} rounded-2xl border border-line bg-surface p-6 shadow-xl max-sm:max-w-[calc(100vw-2rem)]`}
    >
      <h2 id={id} className="mb-4 text-lg font-semibold">
        {title}
      </h2>
      {children}
    </dialog>
  )
}
