import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { webAddress } from '../../../test/support/web-addresses.ts'
import {
  credentialsOf,
  parseRepositoryTarget,
  refPrefixes,
  repositoryTargetProblem,
  resolveRevision,
} from './repository-target.ts'

describe('the address of a repository', () => {
  const addresses: [text: string, repository: string, rest: string[]][] = [
    ['https://github.com/example/shop', 'https://github.com/example/shop', []],
    ['https://github.com/example/shop/', 'https://github.com/example/shop', []],
    ['https://github.com/example/shop.git', 'https://github.com/example/shop.git', []],
    ['https://GitHub.com/example/shop?tab=readme#top', 'https://github.com/example/shop', []],
    ['https://github.com/example/shop/tree/main', 'https://github.com/example/shop', ['main']],
    ['https://github.com/example/shop/tree/main/', 'https://github.com/example/shop', ['main']],
    ['https://github.com/example/shop/tree/fix/a/web', 'https://github.com/example/shop', ['fix', 'a', 'web']],
    ['https://github.com/example/shop/tree/fix%2Fa/web', 'https://github.com/example/shop', ['fix', 'a', 'web']],
    ['https://github.com/example/shop/tree/a%23b/c%20d', 'https://github.com/example/shop', ['a#b', 'c d']],
    ['https://github.com/example/shop/tree/src/tree/src', 'https://github.com/example/shop', ['src', 'tree', 'src']],
    ['https://github.com/example/tree', 'https://github.com/example/tree', []],
    ['https://github.com/tree/src', 'https://github.com/tree/src', []],
    ['https://github.com/example/shop/tree', 'https://github.com/example/shop/tree', []],
    ['https://gitlab.com/a/b/c/shop/-/tree/main/web', 'https://gitlab.com/a/b/c/shop', ['main', 'web']],
    ['https://gitlab.com/a/b/tree/shop/-/tree/main', 'https://gitlab.com/a/b/tree/shop', ['main']],
    ['https://gitlab.com/a/b/-/tree', 'https://gitlab.com/a/b/-/tree', []],
    ['https://gitlab.com/a/b/c/shop', 'https://gitlab.com/a/b/c/shop', []],
    ['https://codeberg.org/example/shop/src/branch/main/web', 'https://codeberg.org/example/shop', ['main', 'web']],
    ['https://codeberg.org/example/shop/src/tag/v1', 'https://codeberg.org/example/shop', ['v1']],
    ['https://codeberg.org/example/shop/src/branch', 'https://codeberg.org/example/shop', ['branch']],
    ['https://bitbucket.org/example/shop/src/main/web', 'https://bitbucket.org/example/shop', ['main', 'web']],
    ['https://bitbucket.org/example/shop/src/tag/v1', 'https://bitbucket.org/example/shop', ['tag', 'v1']],
    ['https://git.example.com/shop.git/tree/main', 'https://git.example.com/shop.git', ['main']],
    ['https://git.example.com/a/b/src/shop.git/tree/main', 'https://git.example.com/a/b/src/shop.git', ['main']],
    ['https://git.example.com/shop', 'https://git.example.com/shop', []],
    ['http://[::1]:3000/example/shop', 'http://[::1]:3000/example/shop', []],
  ]
  for (const [text, repository, rest] of addresses)
    it(`${text} is of ${repository}`, () => {
      const target = parseRepositoryTarget(text)
      assert.ok(typeof target !== 'string')
      assert.deepEqual([target.url.href, target.rest], [repository, rest])
    })

  const refused: [text: string, problem: RegExp][] = [
    ['example/shop', /begins with https/],
    ['git@github.com:example/shop.git', /begins with https/],
    ['ssh://git@github.com/example/shop.git', /begins with https/],
    ['file:///etc', /begins with https/],
    ['https://github.com', /Must name a repository/],
    ['https://github.com//', /Must name a repository/],
    ['https://github.com/acme', /Names no repository/],
    ['https://GitHub.com/acme/', /Names no repository/],
    ['https://gitlab.com/acme?tab=projects', /Names no repository/],
    ['https://token@github.com/example/shop', /check_options\.token/],
    ['https://user:token@github.com/example/shop', /check_options\.token/],
    ['https://github.com:0/example/shop', /port 0/],
    ['https://codeberg.org/example/shop/src/commit/0123abc/web', /commit/],
    ['https://github.com/example/shop/tree/a%00b', /branch or folder/],
    ['https://github.com/example/shop/tree/a%0Ab', /branch or folder/],
    ['https://github.com/example/shop/tree/a%2F%2e%2e%2Fb', /branch or folder/],
    ['https://github.com/example/shop/tree/%FF', /branch or folder/],
    ['https://10.0.0.1/example/shop', /private or reserved/],
  ]
  for (const [text, problem] of refused)
    it(`${text} is refused`, () =>
      assert.match(repositoryTargetProblem(text, (host) => host === '10.0.0.1') ?? '', problem))

  it('may be one word where the host has no owners', () => {
    for (const text of ['https://git.example.com/shop', 'https://github.example.com/shop.git'])
      assert.equal(
        repositoryTargetProblem(text, () => false),
        null,
      )
  })

  it('is a target or a sentence, whatever it is', () => {
    const path = fc.array(
      fc.oneof(
        fc.constantFrom('tree', 'src', '-', 'branch', 'tag', 'commit', 'a.git', '.git', '%2F', '%', '..'),
        fc.string(),
      ),
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          webAddress,
          path.map((parts) => `https://h.example/${parts.join('/')}`),
        ),
        (text) => {
          const target = parseRepositoryTarget(text)
          if (typeof target === 'string') return assert.match(target, /\.$/)
          assert.ok(target.url.search === '' && target.url.hash === '' && target.url.username === '')
          assert.ok(target.url.pathname.length > 1)
          assert.ok(target.rest.every((part) => part !== '' && part !== '..' && !/[/\n\0]/.test(part)))
        },
      ),
      { numRuns: 2000 },
    )
  })
})

describe('a branch and a folder', () => {
  const objects = new Map([
    ['HEAD', '1'],
    ['refs/heads/main', '1'],
    ['refs/heads/fix/a', '2'],
    ['refs/heads/both', '3'],
    ['refs/tags/both', '4'],
    ['refs/tags/fix', '5'],
    ['refs/tags/v1', '6'],
  ])
  const refs = { objects, head: 'refs/heads/main' }
  const meant: [rest: string, expected: [type: string, name: string, object: string, folder: string] | null][] = [
    ['', ['branch', 'main', '1', '']],
    ['main', ['branch', 'main', '1', '']],
    ['main/fix/a', ['branch', 'main', '1', 'fix/a']],
    ['fix/a', ['branch', 'fix/a', '2', '']],
    ['fix/a/b/c', ['branch', 'fix/a', '2', 'b/c']],
    ['fix/b', ['tag', 'fix', '5', 'b']],
    ['both', ['branch', 'both', '3', '']],
    ['v1/web', ['tag', 'v1', '6', 'web']],
    ['mai', null],
    ['HEAD', null],
    ['heads/main', null],
  ]
  for (const [rest, expected] of meant)
    it(`"${rest}" is ${expected?.join(' ')}`, () => {
      const target = { url: new URL('https://h.example/a/b'), rest: rest.split('/').filter((part) => part !== '') }
      const found = resolveRevision(target, refs)
      assert.deepEqual(found && [found.type, found.name, found.object, found.folder], expected)
    })

  it('has the server look only for names that begin alike', () =>
    assert.deepEqual(refPrefixes({ url: new URL('https://h.example/a/b'), rest: ['fix', 'a'] }), [
      'refs/heads/fix',
      'refs/tags/fix',
    ]))

  it('takes the commit of HEAD where the server does not say which branch it is', () => {
    const target = { url: new URL('https://h.example/a/b'), rest: [] }
    assert.equal(resolveRevision(target, { objects, head: null })?.object, '1')
    assert.equal(resolveRevision(target, { objects: new Map(), head: 'refs/heads/main' }), null)
  })
})

describe('the name before a token', () => {
  const names: [host: string, token: string, user: string, password: string][] = [
    ['github.com', 'ghp_1', 'x-access-token', 'ghp_1'],
    ['github.example.com', 'ghp_1', 'x-access-token', 'ghp_1'],
    ['bitbucket.org', 't', 'x-token-auth', 't'],
    ['gitlab.com', 'glpat-1', 'oauth2', 'glpat-1'],
    ['notgithub.com', 't', 'oauth2', 't'],
    ['gitlab.com', 'deploy:secret:1', 'deploy', 'secret:1'],
    ['gitlab.com', ':t', 'oauth2', ':t'],
  ]
  for (const [host, token, user, password] of names)
    it(`of ${host} is ${user}`, () => assert.deepEqual(credentialsOf(host, token), { user, password }))
})
