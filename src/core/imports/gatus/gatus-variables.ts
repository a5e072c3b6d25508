// Gatus puts variables of its environment in place of their names before it reads its files, wherever they stand.

const reference = /\$(?:\$|\{[A-Za-z_]\w*\}|[A-Za-z_]\w*)/g

/** The text with those that are set filled in. Others stay as they are, and are noted where they are read. */
export function withVariables(text: string, variable: (name: string) => string | null): string {
  return text.replaceAll(reference, (written) =>
    written === '$$' ? '$' : (variable(written.replaceAll(/[${}]/g, '')) ?? written),
  )
}
