import { Children, type ReactNode } from 'react'

/** Rows with what they are on the left, and what can be done on the right. */
export function Rows({ label, children }: { label: string; children: ReactNode }): ReactNode {
  if (Children.count(children) === 0) return null
  return (
    <ul aria-label={label} className="-my-3 divide-y divide-line">
      {children}
    </ul>
  )
}

type RowProps = {
  title: ReactNode
  details?: ReactNode
  action?: ReactNode
  /** Of details that are sentences: on a phone they have the whole width, and the action stands below. */
  isWordy?: boolean
  /** As wide as the row, such as what became of its action. */
  below?: ReactNode
}

export function Row({ title, details, action, isWordy = false, below }: RowProps): ReactNode {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
      {/* On a phone one button stands beside every title, however long its words are, and two stand below. */}
      <div className={`min-w-0 grow sm:basis-60 ${isWordy ? 'basis-full' : 'basis-48'}`}>
        <div className="font-medium wrap-anywhere">{title}</div>
        {details !== undefined && <div className="text-sm text-muted wrap-anywhere">{details}</div>}
      </div>
      {action !== undefined && <div className="flex items-center gap-2">{action}</div>}
      {below}
    </li>
  )
}

export function Empty({ children }: { children: ReactNode }): ReactNode {
  return <p className="text-sm text-muted">{children}</p>
}

/** Behind words. A space keeps it off them, which is gone where the badge begins a line, so that it is not indented. */
export function Badge({ children }: { children: ReactNode }): ReactNode {
  return (
    <>
      <span className="[word-spacing:0.25rem]"> </span>
      <span className="inline-block max-w-full truncate rounded-md bg-sunken px-1.5 py-0.5 align-middle text-xs font-medium text-muted">
        {children}
      </span>
    </>
  )
}
