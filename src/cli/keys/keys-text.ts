import { table } from '#cli/table.ts'
import type { KeyState } from './key-states.ts'

/** The keys, what each encrypts by column, and what that means. */
export function keysText(states: readonly KeyState[]): string {
  const keys = states.map(({ id, state, is_known: isKnown, values }) => [
    id,
    state,
    isKnown ? 'yes' : 'no',
    String(values),
  ])
  const columns = [...new Set(states.flatMap((state) => Object.keys(state.columns)))].toSorted()
  const rows = columns.map((column) => [column].concat(states.map((state) => String(state.columns[column] ?? 0))))
  return [
    table(['KEY', 'STATE', 'KNOWN HERE', 'VALUES'], keys),
    ...(rows.length === 0 ? [] : [table(['COLUMN', ...states.map(({ id }) => id)], rows)]),
    ...states.flatMap(remarkOn).map((line) => `${line}\n`),
  ].join('\n')
}

function remarkOn({ id, state, is_known: isKnown, values }: KeyState): string[] {
  switch (state) {
    case 'current':
      return isKnown ? [] : [`The current key ${id} is not in this configuration.`]
    case 'next':
      return [`Key ${id} is known, and encrypts nothing before it is made the current one.`]
    case 'lost':
      return [`${values} values are encrypted with key ${id}, which is not known. Add it to the former keys.`]
    case 'former':
      return values === 0
        ? [`Nothing is encrypted with key ${id} any more: it may be retired with "perigee keys retire ${id}".`]
        : [`${values} values are still encrypted with key ${id}. A running service encrypts them with the current key.`]
  }
}
