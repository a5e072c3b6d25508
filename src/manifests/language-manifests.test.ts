import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { packagesIn, refusalOf } from '../../test/support/manifests.ts'

describe('composer.json', () => {
  const constraints: [constraint: string, version: string | null][] = [
    ['1.2.3', '1.2.3'],
    ['v1.2.3', '1.2.3'],
    ['==1.2.3', '1.2.3'],
    ['1.2', '1.2'],
    ['2.0.0-RC1', '2.0.0-RC1'],
    ['^1.2', null],
    ['1.2.*', null],
    ['>=1.0 <2.0', null],
    ['dev-main', null],
    ['1.0.x-dev', null],
    ['*', null],
  ]
  for (const [constraint, version] of constraints)
    it(`reads the constraint ${constraint} as ${version}`, () => {
      const content = JSON.stringify({ require: { 'Vendor/Package': constraint } })
      const product = 'composer:vendor/package'
      assert.deepEqual(packagesIn('composer.json', content), [version === null ? product : `${product} ${version}`])
    })

  it('names PHP by the platform it is to run on, before what would do, and no extensions', () => {
    const require = { php: '>=8.1', 'ext-json': '*', 'composer-plugin-api': '^2' }
    assert.deepEqual(packagesIn('composer.json', JSON.stringify({ require })), ['php'])
    const config = { platform: { php: '8.1.2' } }
    assert.deepEqual(packagesIn('composer.json', JSON.stringify({ require, config })), ['php 8.1.2'])
  })

  it('takes an empty list for an empty object, as PHP writes it', () => {
    assert.deepEqual(packagesIn('composer.json', '{"require":[],"config":[]}'), [])
  })
})

describe('composer.lock', () => {
  it('names the packages of both groups, and PHP', () => {
    const content = JSON.stringify({
      packages: [
        { name: 'Symfony/Console', version: 'v6.2.0' },
        { name: 'a/b', version: 'dev-main' },
        { name: 'a/c', version: '2.x-dev' },
        { version: '1.0.0' },
        null,
      ],
      'packages-dev': [{ name: 'd/e', version: '3.0.0-dev' }],
      platform: { php: '^8.1', 'ext-json': '*' },
    })
    const packages = ['composer:symfony/console 6.2.0', 'composer:a/b', 'composer:a/c', 'composer:d/e 3.0.0-dev', 'php']
    assert.deepEqual(packagesIn('composer.lock', content), packages)
    const withPlatform = content.replace('"platform"', '"platform-overrides":{"php":"8.2.1"},"platform"')
    assert.deepEqual(packagesIn('composer.lock', withPlatform), [...packages.slice(0, -1), 'php 8.2.1'])
  })
})

describe('requirements.txt', () => {
  const lines: [line: string, read: string | null][] = [
    ['Django==4.2', 'pypi:django 4.2'],
    ['zope.interface ==5.0', 'pypi:zope-interface 5.0'],
    ['a===1.0', 'pypi:a 1.0'],
    ['a == 1!2.0.post1+local', 'pypi:a 1!2.0.post1+local'],
    ['a', 'pypi:a'],
    ['a>=1.0', 'pypi:a'],
    ['a>=1.0,==1.5', 'pypi:a 1.5'],
    ['a==1.*', 'pypi:a'],
    ['a~=1.1', 'pypi:a'],
    ['a!=1.1', 'pypi:a'],
    ['a (==1.0)', 'pypi:a 1.0'],
    ['a [x, y] == 1.0', 'pypi:a 1.0'],
    ['a==1.0 # why', 'pypi:a 1.0'],
    ['a==1.0;python_version<"3"', 'pypi:a 1.0'],
    ['a==1.0 --hash=sha256:00 --hash=sha256:11', 'pypi:a 1.0'],
    ['a==1.0 -C x', 'pypi:a 1.0'],
    ['a-b--hash==1.0', 'pypi:a-b-hash 1.0'],
    ['a==${VERSION}', 'pypi:a'],
    ['a @ https://example.com/a.zip', 'pypi:a'],
    ['a@git+https://example.com/a.git', 'pypi:a'],
    ['git+https://example.com/a.git@v1#egg=a&subdirectory=b', 'pypi:a'],
    ['-e git+https://example.com/a.git#egg=a', 'pypi:a'],
    ['-e .', null],
    ['-r other.txt', null],
    ['--index-url https://example.com', null],
    ['./a.whl', null],
    ['../a', null],
    ['https://example.com/a.whl', null],
    ['a-1.0-py3-none-any.whl', null],
  ]
  for (const [line, read] of lines)
    it(`reads ${line} as ${read}`, () =>
      assert.deepEqual(packagesIn('requirements.txt', line), read === null ? [] : [read]))

  it('joins continued lines, in which a comment ends the requirement', () => {
    const content =
      'a==1.0 \\\r\n    --hash=sha256:00 \\\r\n    --hash=sha256:11\r\nb \\\n  == 2.0\nc==3.0 \\\n# no more\nd==4.0 \\\n'
    assert.deepEqual(packagesIn('requirements.txt', content), ['pypi:a 1.0', 'pypi:b 2.0', 'pypi:c 3.0', 'pypi:d 4.0'])
  })

  it('passes over lines that pip refuses, and is refused where there are no others', () => {
    const wrong = ['asdf==', '==1.0', 'asdf 1.0', 'asdf==1.0 text', '${A}==1.0', 'a=1']
    for (const line of wrong) {
      assert.deepEqual(packagesIn('requirements.txt', `${line}\nb==1.0\n`), ['pypi:b 1.0'])
      assert.match(refusalOf('requirements.txt', `# a\n${line}\n`) ?? '', /no line names a package/)
    }
    assert.equal(refusalOf('requirements.txt', '# nothing\n\n'), null)
  })
})

describe('Pipfile.lock', () => {
  it('names the packages of every group but those of a folder', () => {
    const content = JSON.stringify({
      _meta: { requires: { python_version: '3.8' } },
      default: { Django: { version: '==4.2' }, local: { path: '.', editable: true } },
      develop: { pytest: { version: '==7.0.*' }, git: { git: 'https://example.com/g', ref: '00' } },
      docs: { sphinx: { version: '===5.0' } },
    })
    assert.deepEqual(packagesIn('Pipfile.lock', content), [
      'pypi:django 4.2',
      'pypi:pytest',
      'pypi:git',
      'pypi:sphinx 5.0',
    ])
  })
})

describe('poetry.lock and Cargo.lock', () => {
  it('name their packages but for the project’s own', () => {
    const poetry = [
      '[[package]]\nname = "Django"\nversion = "4.2"\ndescription = """\nname = "no"\n"""\n',
      '[[package]]\nname = "local"\nversion = "0.1"\n[package.source]\ntype = "directory"\nurl = "../local"\n',
      '[[package]]\nname = "git"\nversion = "0.2"\n[package.source]\ntype = "git"\n',
      '[metadata]\nlock-version = "2.0"\n',
    ].join('\n')
    assert.deepEqual(packagesIn('poetry.lock', poetry), ['pypi:django 4.2', 'pypi:git 0.2'])
    const cargo = [
      'version = 4\n',
      '[[package]]\nname = "own"\nversion = "0.1.0"\n',
      '[[package]]\nname = "a"\nversion = "1.0.0"\nsource = "registry+https://github.com/rust-lang/crates.io-index"\n',
      '[[package]]\nname = "a"\nversion = "2.0.0+build"\nsource = "sparse+https://index.crates.io/"\n',
      '[[package]]\nname = "git"\nversion = "1.0.0"\nsource = "git+https://github.com/o/r#00"\n',
    ].join('\n')
    assert.deepEqual(packagesIn('Cargo.lock', cargo), ['cargo:a 1.0.0', 'cargo:a 2.0.0+build'])
  })

  it('are refused where they are no TOML, with the place', () => {
    assert.equal(refusalOf('poetry.lock', 'a = 1\nb\n'), 'It is not valid TOML (line 2, column 2).')
    assert.equal(refusalOf('Cargo.lock', '<<<<<<< HEAD\n'), 'It is not valid TOML (line 1, column 1).')
    assert.deepEqual(packagesIn('Cargo.lock', ''), [])
    assert.deepEqual(packagesIn('Cargo.lock', 'package = 1\n'), [])
  })
})

describe('Gemfile.lock', () => {
  it('names the gems of every source once, and Ruby', () => {
    const content = [
      'GIT',
      '  remote: https://example.com/a.git',
      '  specs:',
      '    a (2.0.0.alpha1)',
      '      b (~> 1.0)',
      '',
      'PATH',
      '  remote: engines/c',
      '  specs:',
      '    c (0.1.0)',
      '',
      'GEM',
      '  remote: https://rubygems.org/',
      '  specs:',
      '    b (1.2)',
      '    nokogiri (1.19.4-aarch64-linux-gnu)',
      '    nokogiri (1.19.4-x86_64-linux-gnu)',
      '',
      'PLATFORMS',
      '  ruby',
      '',
      'DEPENDENCIES',
      '  a!',
      '  b (= 1.2)',
      '',
      'CHECKSUMS',
      '  b (1.2) sha256=00',
      '',
      'RUBY VERSION',
      '   ruby 3.0.2p107',
      '',
      'BUNDLED WITH',
      '   2.5.22',
    ]
    const read = ['gem:a 2.0.0.alpha1', 'gem:c 0.1.0', 'gem:b 1.2', 'gem:nokogiri 1.19.4', 'ruby 3.0.2']
    assert.deepEqual(packagesIn('Gemfile.lock', content.join('\n')), read)
    assert.deepEqual(packagesIn('Gemfile.lock', content.join('\r\n')), read)
  })

  it('names no Ruby where another engine runs', () => {
    assert.deepEqual(packagesIn('Gemfile.lock', 'RUBY VERSION\n   ruby 2.6.8p0 (jruby 9.3.2.0)\n'), [])
  })

  it('is refused where a line is none of its own', () => {
    for (const [content, line] of [
      ['GEM\n  specs:\n    a (1.0)\n<<<<<<< HEAD\n', 4],
      ['GEM\n  specs:\n    a\n', 3],
      ['  specs:\n', 1],
      ['gem "rails"\n', 1],
    ] as const)
      assert.equal(refusalOf('Gemfile.lock', content), `It is no Gemfile.lock that can be read (line ${line}).`)
  })
})

describe('go.mod', () => {
  it('names what is required, alone and in blocks', () => {
    const content = [
      'module "example.com/own"',
      'require github.com/a/b/v2 v2.0.1 // indirect',
      'require(',
      '\t"github.com/C/d" v0.0.0-20210630005230-0f9fa26af87c',
      '\t// github.com/commented/out v1.0.0',
      '\tgithub.com/e/f v20.10.0+incompatible',
      ')',
      'exclude github.com/g/h v1.0.0',
      'retract (',
      '\tv1.0.0',
      ')',
      'tool golang.org/x/tools/cmd/stringer',
    ]
    const read = [
      'go:github.com/a/b/v2 2.0.1',
      'go:github.com/C/d 0.0.0-20210630005230-0f9fa26af87c',
      'go:github.com/e/f 20.10.0+incompatible',
    ]
    assert.deepEqual(packagesIn('go.mod', content.join('\n')), read)
    assert.deepEqual(packagesIn('go.mod', content.join('\r\n')), read)
  })

  const replaced: [replace: string, read: string[]][] = [
    ['a.com/b v1.0.0 => c.com/d v2.0.0', ['go:c.com/d 2.0.0', 'go:a.com/b 1.1.0']],
    ['a.com/b => c.com/d v2.0.0', ['go:c.com/d 2.0.0']],
    ['a.com/b v9.0.0 => c.com/d v2.0.0', ['go:a.com/b 1.0.0', 'go:a.com/b 1.1.0']],
    ['a.com/b v1.0.0 => ./fork', ['go:a.com/b 1.1.0']],
    ['a.com/b => ../fork', []],
    ['(\na.com/b => c.com/d v2.0.0\na.com/b v1.1.0 => ./fork\n)', ['go:c.com/d 2.0.0']],
  ]
  for (const [replace, read] of replaced)
    it(`has what replaces a module: ${JSON.stringify(replace)}`, () => {
      const content = `module m\nrequire a.com/b v1.0.0\nrequire a.com/b v1.1.0\nreplace ${replace}\n`
      assert.deepEqual(packagesIn('go.mod', content), read)
    })

  const toolchains: [lines: string, read: string][] = [
    ['go 1.17', 'go'],
    ['go 1.23', 'go'],
    ['go 1.23.5', 'go 1.23.5'],
    ['go 1.23rc1', 'go 1.23rc1'],
    ['go 1.23.5\ntoolchain go1.23.6', 'go 1.23.6'],
    ['go 1.21\ntoolchain go1.23.6-custom', 'go 1.23.6'],
    ['go 1.23.5\ntoolchain default', 'go 1.23.5'],
  ]
  for (const [lines, read] of toolchains)
    it(`tells Go by ${JSON.stringify(lines)}`, () => assert.deepEqual(packagesIn('go.mod', lines), [read]))

  it('is refused where no line is one of Go', () => {
    assert.match(refusalOf('go.mod', 'this is not a go.mod file!') ?? '', /no line has a directive/)
    assert.deepEqual(packagesIn('go.mod', ''), [])
  })
})
