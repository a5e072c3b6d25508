import { resolveSoftware } from '#core/software/software-catalog.ts'
import { readManifest } from '#manifests/index.ts'
import { ManifestError, type ReadableFormat } from '#manifests/manifest.ts'

/**
 * The packages that a manifest names, each as `npm:lodash 4.17.21`, or as the product alone when the version is
 * unknown.
 */
export function packagesIn(format: ReadableFormat, content: string): string[] {
  const { packages } = readManifest(format, content, { resolve: resolveSoftware })
  return packages.map(({ product, version }) => (version === null ? product : `${product} ${version}`))
}

/** The sentence by which a manifest is refused; null where it is read. Anything else that is thrown goes through. */
export function refusalOf(format: ReadableFormat, content: string): string | null {
  try {
    readManifest(format, content, { resolve: resolveSoftware })
    return null
  } catch (error) {
    if (error instanceof ManifestError) return error.message
    throw error
  }
}

/** A small manifest of each format, from which tests make broken ones. */
export const sampleManifests: Readonly<Record<ReadableFormat, string>> = {
  'package.json': '{"name":"a","dependencies":{"lodash":"4.17.21","b":"npm:@s/c@^1.0.0"},"devDependencies":{"d":"*"}}',
  'package-lock.json':
    '{"lockfileVersion":2,"packages":{"":{},"node_modules/a":{"version":"1.0.0","resolved":"https://r/a.tgz"},"node_modules/a/node_modules/@s/b":{"version":"2.0.0"}},"dependencies":{"a":{"version":"1.0.0","dependencies":{"@s/b":{"version":"2.0.0"}}}}}',
  'yarn.lock':
    '# yarn lockfile v1\n\n"a@^1.0.0", a@~1.0.2:\n  version "1.0.2"\n  resolved "https://r/a.tgz#1"\n  dependencies:\n    b "^1"\n\n"c@npm:^2.0.0":\n  version: 2.1.0\n  resolution: "c@npm:2.1.0"\n',
  'pnpm-lock.yaml':
    "lockfileVersion: '9.0'\n\nimporters:\n  .:\n    dependencies: &deps\n      a:\n        specifier: ^1.0.0\n\npackages:\n\n  '@s/a@1.0.0':\n    resolution: {integrity: sha512-AA==}\n  b@2.0.0:\n    engines: {node: '>=8'}\n\nsnapshots:\n  b@2.0.0(c@1.0.0): *deps\n",
  'composer.json':
    '{"require":{"php":">=8.1","a/b":"1.2.3","ext-json":"*"},"require-dev":{"c/d":"^1.0"},"config":{"platform":{"php":"8.1.2"}}}',
  'composer.lock':
    '{"packages":[{"name":"a/b","version":"v1.2.3"}],"packages-dev":[{"name":"c/d","version":"dev-main"}],"platform":{"php":">=8.1"}}',
  'requirements.txt':
    '# one\nDjango[argon2]==4.2 \\\n  --hash=sha256:00\nrequests>=2,<3 ; python_version > "3"\n-r other.txt\nb @ https://r/b.zip\n',
  'Pipfile.lock':
    '{"_meta":{"requires":{}},"default":{"a":{"hashes":["sha256:00"],"version":"==1.0"}},"develop":{"b":{"git":"https://r/b","ref":"1"}}}',
  'poetry.lock':
    '[[package]]\nname = "a"\nversion = "1.0"\nfiles = [\n  {file = "a.whl", hash = "sha256:00"},\n]\n\n[metadata]\nlock-version = "2.0"\n',
  'Gemfile.lock':
    'GEM\n  remote: https://rubygems.org/\n  specs:\n    a (1.0.0-x86_64-linux)\n      b (~> 1.0)\n    b (1.2)\n\nPLATFORMS\n  ruby\n\nRUBY VERSION\n   ruby 3.0.2p107\n',
  'go.mod':
    'module example.com/a\n\ngo 1.21.3\n\nrequire (\n\tgithub.com/a/b v1.0.0 // indirect\n\tgolang.org/x/net v0.1.0\n)\n\nreplace golang.org/x/net => ./net\n',
  'Cargo.lock':
    'version = 3\n\n[[package]]\nname = "a"\nversion = "1.0.0"\nsource = "registry+https://github.com/rust-lang/crates.io-index"\ndependencies = [\n "b",\n]\n',
  'pom.xml':
    '<?xml version="1.0"?>\n<project xmlns="http://maven.apache.org/POM/4.0.0">\n<properties><v>1.0</v></properties>\n<dependencies><dependency><groupId>g</groupId><artifactId>a</artifactId><version>${v}</version></dependency></dependencies><!-- --></project>\n',
  '.csproj':
    '<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><V>1.0.0</V></PropertyGroup><ItemGroup><PackageReference Include="A.B" Version="$(V)" /><PackageReference Include="C"><Version>[2.0]</Version></PackageReference></ItemGroup></Project>',
  'Directory.Packages.props':
    '<Project><ItemGroup><PackageVersion Include="A.B" Version="1.0.0" /><GlobalPackageReference Include="C" Version="2.0.0" /></ItemGroup></Project>',
  Dockerfile:
    '# syntax=docker/dockerfile:1\nARG V=20\nFROM --platform=linux/amd64 node:${V}-alpine AS build\nRUN <<EOF\nFROM x\nEOF\nCOPY --from=nginx:1.27.4 /a /b\nFROM build\n',
  'docker-compose.yml':
    'x-a: &a\n  image: nginx:1.27.4\nservices:\n  web:\n    <<: *a\n  db:\n    image: "postgres:${V:-16.2}"\n    ports: !override ["1:1"]\n',
  '.nvmrc': 'v20.1.0\n',
  '.tool-versions': 'nodejs 20.1.0 18.0.0\ngolang 1.22.1 # why\n',
  plain: 'nginx 1.27.4\nnpm:lodash@4.17.21\nDjango==4.2\nPostgreSQL: 16.2\nwhat is this\n',
}
