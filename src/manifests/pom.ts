import { ManifestError, type Mention } from './manifest.ts'
import { type Interpolate, interpolation } from './maven-properties.ts'
import { childOf, childrenOf, childText, parseXml, type XmlElement } from './xml.ts'

/** A dependency as a project or one of its profiles states it; `version` is as written, "" without one. */
type Dependency = { name: string; version: string; scope: string }

/**
 * The dependencies of a pom.xml and of its profiles, with the versions of its `dependencyManagement`, and what that
 * manages for other modules. Plugins are left out because they belong to the build. Throws ManifestError.
 */
export function* readPom(content: string): Generator<Mention> {
  const project = parseXml(content)
  if (project.name !== 'project') throw new ManifestError('It is no pom.xml: its root is no project.')
  const interpolate = interpolation(project)
  const parts = [project, ...childrenOf(childOf(project, 'profiles'), 'profile')]
  const direct = parts.flatMap((part) => dependenciesOf(part, interpolate))
  const managed = parts.flatMap((part) => dependenciesOf(childOf(part, 'dependencyManagement'), interpolate))
  const versions = new Map(managed.map(({ name, version }) => [name, version]))
  for (const { name, version } of direct)
    yield mentionOf(name, interpolate(version === '' ? (versions.get(name) ?? '') : version))
  const used = new Set(direct.map(({ name }) => name))
  for (const { name, version, scope } of managed)
    // An import is a list of versions and no code.
    if (!used.has(name) && scope !== 'import') yield mentionOf(name, interpolate(version))
}

function dependenciesOf(part: XmlElement | undefined, interpolate: Interpolate): Dependency[] {
  return childrenOf(childOf(part, 'dependencies'), 'dependency').map((dependency) => ({
    name: `${interpolate(childText(dependency, 'groupId')) ?? ''}:${interpolate(childText(dependency, 'artifactId')) ?? ''}`,
    version: childText(dependency, 'version'),
    scope: childText(dependency, 'scope'),
  }))
}

/** `[1.0]` is one version, `[1.0,2.0)` a range; LATEST and RELEASE mean the newest one. */
function mentionOf(name: string, version: string | null): Mention {
  const exact = /^\[\s*([^\s,]+)\s*\]$/.exec(version ?? '')?.[1] ?? version
  const isVersion = exact !== null && /^[^[\](),\s]+$/.test(exact)
  return { ecosystem: 'maven', name, version: isVersion ? exact : null }
}
