import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { packagesIn, refusalOf } from '../../test/support/manifests.ts'

describe('pom.xml', () => {
  const versions: [version: string, read: string | null][] = [
    ['1.0.0.Final', '1.0.0.Final'],
    [' \n1.0\n ', '1.0'],
    ['<![CDATA[1.0]]>', '1.0'],
    ['<!-- old -->1.0<!-- -->', '1.0'],
    ['[1.0]', '1.0'],
    ['[1.0,2.0)', null],
    ['[1.0],[1.1]', null],
    ['LATEST', null],
    ['', null],
    ['1.0-SNAPSHOT', '1.0-SNAPSHOT'],
    ['${known}', '2.0'],
    ['${known}.Final', '2.0.Final'],
    ['${chained}', '2.0-chained'],
    ['${unknown}', null],
    ['${known}${unknown}', null],
    ['${circle}', null],
    ['${project.version}', '0.9'],
    ['${pom.version}', '0.9'],
    ['${project.parent.version}', '3.1'],
    ['${encoded}', '1.0&2'],
    ['&custom;', null],
  ]
  const properties = [
    '<known>2.0</known>',
    '<chained>${known}-chained</chained>',
    '<circle>${circle}</circle>',
    '<encoded>1.0&amp;2</encoded>',
  ]
  const rest = `<version>0.9</version><parent><groupId>p</groupId><version>3.1</version></parent><properties>${properties.join('')}</properties>`
  for (const [version, read] of versions)
    it(`reads the version ${JSON.stringify(version)} as ${read}`, () => {
      const content = project(dependency(version), rest)
      assert.deepEqual(packagesIn('pom.xml', content), [read === null ? 'maven:g:a' : `maven:g:a ${read}`])
    })

  it('takes versions from dependencyManagement, and names what is managed for the modules below', () => {
    const managed = [
      dependency('1.0', 'g:managed'),
      dependency('2.0', 'g:overridden'),
      dependency('3.0', 'g:below'),
      dependency('4.0', 'g:bom').replace('</dependency>', '<scope>import</scope></dependency>'),
    ]
    const content = project(
      dependency('', 'g:managed') + dependency('2.1', 'g:overridden') + dependency('', 'g:elsewhere'),
      `<dependencyManagement><dependencies>${managed.join('')}</dependencies></dependencyManagement>`,
    )
    const read = ['maven:g:managed 1.0', 'maven:g:overridden 2.1', 'maven:g:elsewhere', 'maven:g:below 3.0']
    assert.deepEqual(packagesIn('pom.xml', content), read)
  })

  it('has the dependencies of profiles, and none of plugins', () => {
    const profile = `<profiles><profile><dependencies>${dependency('1.0', 'g:p')}</dependencies></profile></profiles>`
    const plugin = `<build><plugins><plugin><dependencies>${dependency('1.0', 'g:no')}</dependencies></plugin></plugins></build>`
    assert.deepEqual(packagesIn('pom.xml', project(dependency('1.0'), profile + plugin)), [
      'maven:g:a 1.0',
      'maven:g:p 1.0',
    ])
  })

  it('is read with a declaration, a DOCTYPE, prefixes and comments, and never expands an entity of its own', () => {
    const content = [
      '\uFEFF<?xml version="1.0" encoding="UTF-8"?>',
      '<!DOCTYPE project [ <!ENTITY x "1.0]>"> <!-- ]> --> <!ENTITY y SYSTEM "file:///etc/passwd"> ]>',
      '<!-- <dependency> -->',
      `<m:project xmlns:m='http://maven.apache.org/POM/4.0.0' >`,
      '<m:dependencies><m:dependency><m:groupId>g</m:groupId><m:artifactId >a</m:artifactId ><m:version>&x;&y;</m:version></m:dependency></m:dependencies>',
      '</m:project>',
    ].join('\n')
    assert.deepEqual(packagesIn('pom.xml', content), ['maven:g:a'])
    assert.deepEqual(packagesIn('pom.xml', content.replace('&x;&y;', '1.0&x;')), ['maven:g:a 1.0&x;'])
  })

  it('passes over what has no group or artifact', () => {
    const nameless = '<dependency><artifactId>a</artifactId><version>1</version></dependency>'
    assert.deepEqual(packagesIn('pom.xml', project(nameless + dependency('1.0', '${x}:b'))), [])
  })

  const broken = [
    '',
    'no xml',
    '<project>',
    '<project></projects>',
    '</project>',
    '<project/><project/>',
    '<project/>text',
    '<project a=1/>',
    '<project <a/></project>',
    '<project><!-- </project>',
    '<project><![CDATA[ </project>',
    '<!DOCTYPE project [ <project/>',
    '<project>\0<</project>',
  ]
  for (const content of broken)
    it(`is refused where it is ${JSON.stringify(content)}`, () =>
      assert.match(refusalOf('pom.xml', content) ?? '', /^It is not valid XML \(line 1\)\.$/))

  it('is refused where its root is another', () =>
    assert.equal(refusalOf('pom.xml', '<html></html>'), 'It is no pom.xml: its root is no project.'))
})

describe('a project file of .NET', () => {
  const references: [item: string, read: string[]][] = [
    ['<PackageReference Include="A.B" Version="1.2.3" />', ['nuget:a.b 1.2.3']],
    ["<PackageReference Include='A' Version='1.2.3-rc.1+x'/>", ['nuget:a 1.2.3-rc.1+x']],
    ['<PackageReference Include="A"><Version> 1.2.3 </Version></PackageReference>', ['nuget:a 1.2.3']],
    ['<PackageReference Update="A" Version="[1.2.3]" />', ['nuget:a 1.2.3']],
    ['<PackageReference Include="A" Version="[1.0,2.0)" />', ['nuget:a']],
    ['<PackageReference Include="A" Version="1.2.*" />', ['nuget:a']],
    ['<PackageReference Include="A" Version="$(known)" />', ['nuget:a 4.5.6']],
    ['<PackageReference Include="A" Version="$(Unknown)" />', ['nuget:a']],
    ['<PackageReference Include="A" Version="" />', ['nuget:a']],
    ['<PackageReference Include="A" />', ['nuget:a']],
    ['<PackageReference Include="A; B" Version="1.0" />', ['nuget:a 1.0', 'nuget:b 1.0']],
    ['<PackageReference Include="A" VersionOverride="2.0" Version="1.0" />', ['nuget:a 2.0']],
    ['<PackageReference Include="" Version="1.0" />', []],
    ['<PackageReference Version="1.0" />', []],
    ['<PackageVersion Include="A" Version="1.0" />', ['nuget:a 1.0']],
    ['<GlobalPackageReference Include="A" Version="1.0" />', ['nuget:a 1.0']],
    ['<ProjectReference Include="../a.csproj" />', []],
    ['<!-- <PackageReference Include="A" Version="1.0" /> -->', []],
  ]
  for (const [item, read] of references)
    it(`reads ${item} as ${read.join(', ')}`, () => {
      const content = `<Project><PropertyGroup><Known>4.5.6</Known></PropertyGroup><ItemGroup>${item}</ItemGroup></Project>`
      assert.deepEqual(packagesIn('.csproj', content), read)
      assert.deepEqual(packagesIn('Directory.Packages.props', content), read)
    })

  it('is refused where it is none', () => {
    assert.match(refusalOf('.csproj', 'not\nxml\n') ?? '', /not valid XML/)
    assert.match(refusalOf('.csproj', '<project/>') ?? '', /no project file of \.NET/)
  })
})

function dependency(version: string, name = 'g:a'): string {
  const [group, artifact] = name.split(':')
  const element = version === '' ? '' : `<version>${version}</version>`
  return `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId>${element}</dependency>`
}

function project(dependencies: string, rest = ''): string {
  return `<project>${rest}<dependencies>${dependencies}</dependencies></project>`
}
