import { ManifestError, type Mention } from './manifest.ts'
import { childrenOf, childText, parseXml, type XmlElement } from './xml.ts'

const references: ReadonlySet<string> = new Set(['PackageReference', 'PackageVersion', 'GlobalPackageReference'])

/**
 * The packages of a .NET project file, or of a Directory.Packages.props, which has the versions for several projects.
 * Throws ManifestError.
 */
export function* readNugetProject(content: string): Generator<Mention> {
  const project = parseXml(content)
  if (project.name !== 'Project') throw new ManifestError('It is no project file of .NET: its root is no Project.')
  const properties = propertiesOf(project)
  for (const item of childrenOf(project, 'ItemGroup').flatMap(({ children }) => children))
    if (references.has(item.name)) yield* mentionsOf(item, properties)
}

type Properties = ReadonlyMap<string, string>

/** The last value counts, whatever its condition, because only the build knows which condition holds. */
function propertiesOf(project: XmlElement): Properties {
  const properties = childrenOf(project, 'PropertyGroup').flatMap(({ children }) => children)
  return new Map(properties.map(({ name, text }) => [name.toLowerCase(), text.trim()]))
}

/** An item may name several packages, `A;B`. */
function* mentionsOf(item: XmlElement, properties: Properties): Generator<Mention> {
  const names = item.attributes.get('Include') ?? item.attributes.get('Update') ?? ''
  const version = ['VersionOverride', 'Version']
    .map((name) => item.attributes.get(name) ?? childText(item, name))
    .find((text) => text !== '')
  for (const name of names.split(';'))
    yield { ecosystem: 'nuget', name: name.trim(), version: installedVersion(version?.trim() ?? '', properties) }
}

/** `1.2.3` is the lowest acceptable version, which is the one that NuGet installs; `[1.2.3]` admits no other. */
function installedVersion(text: string, properties: Properties): string | null {
  const property = /^\$\((\w+)\)$/.exec(text)?.[1]
  const version = property === undefined ? text : (properties.get(property.toLowerCase()) ?? '')
  return /^(?:\[\s*)?(\d[\w.+-]*)(?:\s*\])?$/.exec(version)?.[1] ?? null
}
