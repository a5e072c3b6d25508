import { childOf, childText, type XmlElement } from './xml.ts'

/** Fills in `${…}` in texts of a pom.xml; null where the file has no value for it. */
export type Interpolate = (text: string) => string | null

/** Longer than any version or name, and short enough that texts which grow by filling in cost nothing. */
const maxLength = 200
/** A property may refer to others; a dozen in a row is a circle. */
const maxPasses = 12

/** Knows the file's properties, and the names that Maven gives to its own coordinates and those of its parent. */
export function interpolation(project: XmlElement): Interpolate {
  const properties = new Map(childOf(project, 'properties')?.children.map(({ name, text }) => [name, text.trim()]))
  const parent = childOf(project, 'parent')
  for (const name of ['groupId', 'version', 'artifactId']) {
    const above = childText(parent, name)
    const own = childText(project, name) || (name === 'artifactId' ? '' : above)
    for (const prefix of ['project.', 'pom.', '']) if (own !== '') properties.set(`${prefix}${name}`, own)
    for (const prefix of ['project.parent.', 'parent.']) if (above !== '') properties.set(`${prefix}${name}`, above)
  }
  return (text) => interpolated(text.trim(), properties)
}

function interpolated(text: string, properties: ReadonlyMap<string, string>): string | null {
  let filled = text
  for (let pass = 0; pass < maxPasses && filled.length <= maxLength; pass++) {
    if (!filled.includes('${')) return filled
    let isKnown = true
    filled = filled.replaceAll(/\$\{([^${}]*)\}/g, (reference, name: string) => {
      const value = properties.get(name)
      isKnown &&= value !== undefined && value.length <= maxLength
      return value !== undefined && value.length <= maxLength ? value : reference
    })
    if (!isKnown) return null
  }
  return filled.length <= maxLength && !filled.includes('${') ? filled : null
}
