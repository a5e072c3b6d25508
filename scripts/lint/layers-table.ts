import type { Layer } from './layers.ts'

const begin = '<!-- layers:'
/** A longer list is told by what is missing. */
const mostListed = 12
const end = '<!-- end of layers -->'

/** The table of layers as ARCHITECTURE.md shows it. */
export function layersTable(layers: Readonly<Record<string, Layer>>): string {
  const names = Object.keys(layers)
  const rows = Object.entries(layers).map(([name, { holds, imports, types = [] }]) => {
    const all = [...imports, ...types]
    const others = names.slice(names.indexOf(name) + 1).filter((other) => ![...imports, ...types].includes(other))
    const few = all.length > mostListed ? `all below but ${others.join(', ')}` : listed({ imports, types })
    return `| ${name} | ${holds} | ${all.length === 0 ? 'nothing' : few} |`
  })
  return ['| layer | what it holds | may import |', '| --- | --- | --- |', ...rows].join('\n')
}

function listed({ imports, types }: { imports: readonly string[]; types: readonly string[] }): string {
  return [imports.join(', '), ...(types.length === 0 ? [] : [`types of ${types.join(', ')}`])].join('; ')
}

/** The text with the table between its marks. Throws where the marks are missing. */
export function withLayersTable(text: string, table: string): string {
  const from = text.indexOf('\n', text.indexOf(begin)) + 1
  const to = text.indexOf(end)
  if (!text.includes(begin) || to < from) throw new Error(`The text has no place for the table: ${begin} … ${end}`)
  return `${text.slice(0, from)}\n${table}\n\n${text.slice(to)}`
}

/** Rows without the padding that the formatter adds. */
export function rowsIn(text: string): string[] {
  const from = text.indexOf(begin)
  const part = text.slice(from, text.indexOf(end, from))
  return part
    .split('\n')
    .filter((line) => line.startsWith('|') && !/^[|\s-]+$/.test(line))
    .map((line) => line.replaceAll(/\s*\|\s*/g, '|'))
}
