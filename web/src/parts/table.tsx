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
              data-extra={isExtra}
              className={`py-2 text-xs font-medium text-muted ${startClass} ${sideOf(align)} ${isExtra === true ? 'max-sm:hidden' : ''}`}
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

/** The first cell that is seen begins where the table does. */
const startClass = 'pl-3 first:pl-0 max-sm:[[data-extra]:first-child+&]:pl-0'

type CellProps = { align?: Align; isExtra?: true; children: ReactNode }

export function Cell({ align, isExtra, children }: CellProps): ReactNode {
  const figures = align === 'right' ? 'whitespace-nowrap tabular-nums' : 'wrap-anywhere'
  return (
    <td
      data-extra={isExtra}
      className={`py-2.5 align-top ${startClass} ${sideOf(align)} ${figures} ${isExtra === true ? 'max-sm:hidden' : ''}`}
    >
      {children}
    </td>
  )
}

function sideOf(align: Align = 'left'): string {
  return align === 'right' ? 'text-right' : 'text-left'
}
