import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { resolveSoftware } from '#core/software/software-catalog.ts'
import { packagesIn, refusalOf } from '../../test/support/manifests.ts'
import { readManifest } from './index.ts'
import { maxPackages } from './package-set.ts'

describe('.nvmrc', () => {
  const files: [content: string, read: string[]][] = [
    ['v20.1.0\n', ['nodejs 20.1.0']],
    ['20', ['nodejs 20']],
    ['18.12\r\n', ['nodejs 18.12']],
    ['lts/*', ['nodejs']],
    ['lts/Hydrogen', ['nodejs 18']],
    ['lts/-1', ['nodejs']],
    ['node', ['nodejs']],
    ['# why\n\nv20.1.0 # this\nv18.0.0\n', ['nodejs 20.1.0']],
    ['mirror=https://example.com\nv20.1.0', ['nodejs 20.1.0']],
    ['', []],
  ]
  for (const [content, read] of files)
    it(`with ${JSON.stringify(content)} names ${read.join(', ')}`, () =>
      assert.deepEqual(packagesIn('.nvmrc', content), read))

  it('is refused where it names no version of Node.js', () => {
    for (const content of ['this is not one', 'iojs-v3.3.1', '{"a":1}', 'a'.repeat(65)])
      assert.match(refusalOf('.nvmrc', content) ?? '', /names no version of Node\.js/)
  })
})

describe('.tool-versions', () => {
  const files: [content: string, read: string[]][] = [
    ['nodejs 20.1.0 18.0.0 system', ['nodejs 20.1.0']],
    ['nodejs 20.1.0\nnodejs 18.0.0\n', ['nodejs 20.1.0', 'nodejs 18.0.0']],
    ['  node   lts-hydrogen  ', ['nodejs 18']],
    ['golang 1.22.1 # why', ['go 1.22.1']],
    ['python 3.12.1\r\nruby 3.3.0\r\n', ['python 3.12.1', 'ruby 3.3.0']],
    ['python pypy3.10-7.3.12', ['python']],
    ['ruby system', ['ruby']],
    ['php ref:master', ['php']],
    ['postgres 16.2\nvault 1.15.0', ['postgresql 16.2', 'hashicorp-vault 1.15.0']],
    ['java temurin-17.0.9+9', ['eclipse-temurin 17.0.9+9']],
    ['java openjdk-21\nawscli 2.15.0', []],
    ['npm:prettier 3.0.0', ['npm:prettier 3.0.0']],
    ['', []],
  ]
  for (const [content, read] of files)
    it(`with ${JSON.stringify(content)} names ${read.join(', ')}`, () =>
      assert.deepEqual(packagesIn('.tool-versions', content), read))

  for (const content of ['nodejs24.04\n', '404: Not Found', 'Not Found', 'access denied\nplease sign in\n'])
    it(`is refused where no line has a tool and a version: ${JSON.stringify(content)}`, () =>
      assert.match(refusalOf('.tool-versions', content) ?? '', /no line has a tool and a version/))
})

describe('a plain list', () => {
  const lines: [line: string, read: string | null][] = [
    ['nginx 1.27.4', 'nginx 1.27.4'],
    ['nginx\t1.27.4', 'nginx 1.27.4'],
    ['  nginx   v1.27.4  ', 'nginx 1.27.4'],
    ['nginx@1.27.4', 'nginx 1.27.4'],
    ['nginx @ v1.27.4', 'nginx 1.27.4'],
    ['nginx==1.27.4', 'nginx 1.27.4'],
    ['nginx == 1.27.4', 'nginx 1.27.4'],
    ['nginx: 1.27.4', 'nginx 1.27.4'],
    ['nginx : v1.27.4', 'nginx 1.27.4'],
    ['nginx:1.27.4', 'nginx 1.27.4'],
    ['nginx', 'nginx'],
    ['NGINX 1.27.4', 'nginx 1.27.4'],
    ['- nginx 1.27.4,', 'nginx 1.27.4'],
    ['* nginx 1.27.4 # in front', 'nginx 1.27.4'],
    ['Apache HTTP Server 2.4.58', 'apache-http-server 2.4.58'],
    ['Ubuntu 22.04 LTS', 'ubuntu 22.04'],
    ['openssl 3.0.2-0ubuntu1.10', 'openssl 3.0.2-0ubuntu1.10'],
    ['npm:lodash 4.17.21', 'npm:lodash 4.17.21'],
    ['npm:lodash@4.17.21', 'npm:lodash 4.17.21'],
    ['npm:@babel/core@7.0.0', 'npm:@babel/core 7.0.0'],
    ['npm:@babel/core', 'npm:@babel/core'],
    ['npm:@7up/x', 'npm:@7up/x'],
    ['npm:7zip', 'npm:7zip'],
    ['npm:lodash: 4.17.21', 'npm:lodash 4.17.21'],
    ['pypi:Zope.Interface==5.0', 'pypi:zope-interface 5.0'],
    ['maven:org.a:b 1.0', 'maven:org.a:b 1.0'],
    ['maven:org.a:b:1.0', 'maven:org.a:b 1.0'],
    ['cpe:f5:nginx 1.27.4', 'cpe:f5:nginx 1.27.4'],
    ['npm:lodash@^4.17.0', null],
    ['no such thing 1.0', null],
    ['nginx latest', null],
    ['npm:', null],
    ['1.27.4', null],
    ['@', null],
    [`${'nginx '.repeat(100)}1.0`, null],
  ]
  for (const [line, read] of lines)
    it(`reads ${JSON.stringify(line.slice(0, 40))} as ${read}`, () => {
      const { packages, unrecognized } = readManifest('plain', line, { resolve: resolveSoftware })
      const named = packages.map(({ product, version }) => (version === null ? product : `${product} ${version}`))
      assert.deepEqual(named, read === null ? [] : [read])
      assert.deepEqual(unrecognized, read === null ? [line] : [])
    })

  it('has one entry for each name and version, and returns unknown lines as they stand', () => {
    const content =
      '\uFEFF# ours\r\nnginx 1.27.4\r\n\r\n  what is this?  \r\nNginx 1.27.4\r\nnginx 1.26.0\r\nwhat is this?'
    const { packages, unrecognized } = readManifest('plain', content, { resolve: resolveSoftware })
    assert.deepEqual(
      packages.map(({ name, version }) => [name, version]),
      [
        ['nginx', '1.27.4'],
        ['nginx', '1.26.0'],
      ],
    )
    assert.deepEqual(unrecognized, ['  what is this?  ', 'what is this?'])
  })

  it('of too many lines is refused, known or not', () => {
    for (const line of [(index: number): string => `npm:a${index}`, (index: number): string => `unknown ${index}`]) {
      assert.equal(refusalOf('plain', listOf(maxPackages, line)), null)
      assert.match(refusalOf('plain', listOf(maxPackages + 1, line)) ?? '', /more than 50,000 packages/)
    }
  })
})

function listOf(length: number, line: (index: number) => string): string {
  return Array.from({ length }, (_, index) => line(index)).join('\n')
}
