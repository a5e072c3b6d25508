import { childOf, childText, type XmlElement } from './xml.ts'

/** Texts of a pom.xml with what stands in `${…}` filled in; null where the file does not say it. */
export type Interpolate = (text: string) => string | null

/** Longer than any version or name, and short enough that filling in texts that grow costs nothing. */
const maxLength = 200
/** Properties stand for properties; a dozen in a row is a circle. */
const maxPasses = 12

/** By the properties of the file, and by what it says of itself and its parent, as Maven names it. */
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
