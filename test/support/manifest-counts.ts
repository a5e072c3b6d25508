import type { ManifestFormat } from '#manifests/file-names.ts'

/**
 * How many packages and versions a manifest names, counted by patterns alone: a second opinion about well-formed files,
 * which shares nothing with the readers and knows none of their finer rules.
 */
export function countByPattern(format: ManifestFormat, content: string): number {
  const count = counts[format]
  return new Set(count(content)).size
}

const counts: Readonly<Record<ManifestFormat, (content: string) => Iterable<string>>> = {
  'package.json': (content) =>
    sections(content, /"(?:dependencies|devDependencies|optionalDependencies)": \{([^}]*)\}/g).flatMap((group) =>
      found(group, /"([^"]+)": "(?!file:)/g),
    ),
  'package-lock.json': (content) =>
    content.includes('"node_modules/')
      ? found(
          content,
          /"(?:[^"]*\/)?node_modules\/((?:@[^"/]+\/)?[^"/]+)": \{\s*(?:"name": ("[^"]+"),\s*)?"(version": "[^"]+|resolved)"/g,
          aliased,
        )
      : found(content, /"([^"]+)": \{\s*"version": "(?!file:)(?:npm:(@?[^"@]+@))?([^":/]*)/g, aliased),
  'yarn.lock': (content) =>
    content
      .split('\n\n')
      .filter((block) => /^ {2}"?version/m.test(block) && !/__metadata|@(?:workspace|file|link):/.test(block))
      .map((block) => `${realName(block)} ${/^ {2}"?version"?:? "?([^"\n]+)/m.exec(block)?.[1]}`),
  'pnpm-lock.yaml': (content) =>
    sections(content, /^packages:\n([^]*?)(?:^\w|$(?![^]))/gm).flatMap((packages) =>
      packages
        .split(/\n(?= {2}\S)/)
        .filter((block) => /\d\.\d/.test(block) && !/^\s*(?:file|link):|invalidpath/.test(block))
        .map((block) => /^ {4}name: '?([^'\n]+)/m.exec(block)?.[1] ?? pnpmName(block)),
    ),
  'composer.json': (content) => found(content, /^ {8}"([a-z\d._-]+\/[^"]+|php)": "/gm),
  'composer.lock': (content) => [
    ...found(content, /"name": "([^"]+\/[^"]+)",\s*"version": "([^"]+)"/g),
    ...found(content, /"platform": \{\s*"(php)"/g),
  ],
  'requirements.txt': (content) =>
    found(
      content,
      /^([a-z\d][\w.-]*) ?(?:\[[^\]]*\])? ?\\?\s*(?:(?:[=~<>!]=+|<|>) ?([\d$][^\s,;]*)[ \t]*(?=$|[;,#\\]| -)|@|$)/gim,
      lowerCase,
    ),
  'Pipfile.lock': (content) =>
    found(content, /"([\w.-]+)": ?\{\s*"(?:hashes|editable|index|git)"[^}]*?(?:"version": ?"==([^"]+)"|\})/g),
  'poetry.lock': (content) =>
    found(content, /^\[\[package\]\]\n(?:#.*\n|(?!name = ).*\n)*?name = "([^"]+)"\nversion = "([^"]+)"/gm),
  'Cargo.lock': (content) => found(content, /^name = "([^"]+)"\nversion = "([^"]+)"\nsource = "registry\+/gm),
  'Gemfile.lock': (content) => [
    ...found(content, /^ {4}(\S+) \(([^-)]+)/gm),
    ...found(content, /^RUBY VERSION\n {3}(ruby)/gm),
  ],
  'go.mod': (content) => [
    ...found(content, /^(?:require )?\s*([\w-]+\.[^\s]+) (v\S+)(?!.*=>)/gm),
    ...found(content, /^(go) \d/gm),
  ],
  'pom.xml': (content) =>
    sections(content.replaceAll(/<!--[^]*?-->|<build>[^]*?<\/build>/g, ''), /<dependency>([^]*?)<\/dependency>/g)
      .filter((dependency) => !dependency.includes('import</scope>') && dependency.includes('<groupId>'))
      .map((dependency) =>
        ['groupId', 'artifactId', 'version'].map((name) => dependency.split(`<${name}>`)[1]?.split('<')[0]).join(' '),
      ),
  '.csproj': countReferences,
  'Directory.Packages.props': countReferences,
  Dockerfile: (content) => found(content, /^FROM (?:--\S+ )*((?:nginx|node|python|golang|ubuntu)\b\S*)/gm),
  'docker-compose.yml': (content) => found(content, /^\s+image: ((?:postgres|nginx|redis|mysql)\b\S*)/gm),
  '.nvmrc': (content) => found(content, /^v?(\d+)/gm),
  '.tool-versions': (content) => found(content, /^(nodejs|bun|deno) +(\S+)/gm),
}

function countReferences(content: string): string[] {
  return found(content, /<PackageReference +Include="([^"]+)"/g)
}

/** The groups of each match, joined. */
function found(content: string, pattern: RegExp, say = (groups: string[]): string => groups.join(' ')): string[] {
  return Array.from(content.matchAll(pattern), ([, ...groups]) => say(groups.map((group) => group ?? '')))
}

function sections(content: string, pattern: RegExp): string[] {
  return Array.from(content.matchAll(pattern), ([, section = '']) => section)
}

/** Name and version, where a second group has the name behind an alias. */
function aliased([name = '', real = '', version = '']: string[]): string {
  return `${real === '' ? name : real.replaceAll(/"|@$/g, '')} ${version}`
}

function lowerCase(groups: string[]): string {
  return groups.join(' ').toLowerCase()
}

function realName(block: string): string | undefined {
  const [, first] = /^"?((?:@[^@"/]+\/)?[^@"]+)/m.exec(block.replaceAll(/^#.*\n/gm, '').trimStart()) ?? []
  return /@npm:((?:@[^@/]+\/)?[a-z][^@"]*)@/.exec(block)?.[1] ?? /resolution: "(@?[^@]+)/.exec(block)?.[1] ?? first
}

/** Either form of a path without its peers. */
function pnpmName(block: string): string {
  const [path = ''] = /[^\s'"].*?(?=['"]?:(?:\s|$))/.exec(block) ?? []
  const [name = ''] = path
    .replace(/^.*?\/(?=@?[^/]+\/\d)/, '')
    .replace(/^\//, '')
    .split(/(?<=\d)_|\(/)
  return name.replace(/\/(?=\d)/, '@')
}
