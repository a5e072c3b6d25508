import type { ReactNode } from 'react'

type Align = 'left' | 'right'

/** `isExtra`: left out on small screens, where the row says it elsewhere. */
export type Column = { title: string; align?: Align; isExtra?: true }

type TableProps = { label: string; columns: readonly Column[]; children: ReactNode }

/** Figures in columns; its rows are `tr` of `Cell`. */
export function Table({ label, columns, children }: TableProps): ReactNode {
  return (
    <table aria-label={label} className="w-full text-sm">
      <thead className="border-b border-line">
        <tr>
          {columns.map(({ title, align, isExtra }) => (
            <th
              key={title}
              scope="col"
              className={`py-2 pl-3 text-xs font-medium text-muted first:pl-0 ${sideOf(align)} ${isExtra === true ? 'max-sm:hidden' : ''}`}
            >
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y divide-line">{children}</tbody>
    </table>
  )
}

type CellProps = { align?: Align; isExtra?: true; children: ReactNode }

export function Cell({ align, isExtra, children }: CellProps): ReactNode {
  const figures = align === 'right' ? 'whitespace-nowrap tabular-nums' : 'wrap-anywhere'
  return (
    <td
      className={`py-2.5 pl-3 align-top first:pl-0 ${sideOf(align)} ${figures} ${isExtra === true ? 'max-sm:hidden' : ''}`}
    >
      {children}
    </td>
  )
}

function sideOf(align: Align = 'left'): string {
  return align === 'right' ? 'text-right' : 'text-left'
}
