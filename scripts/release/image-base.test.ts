import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { packagesOfStatus } from './debian-tar.ts'
import { pinProblem } from './image-base.ts'
import { root } from './release-facts.ts'

const pin = { digest: 'sha256:a', packages: { bash: '5.2', git: '2.39', tini: '0.19' } }

describe('the Debian of the image', () => {
  it('is taken with the pinned digest alone', () => {
    assert.equal(pinProblem(pin, pin), null)
    assert.equal(pinProblem(undefined, pin), 'is pinned by no digest.')
  })

  it('is refused with the packages that changed, came and went', () => {
    const made = { digest: 'sha256:b', packages: { bash: '5.2', git: '2.40', curl: '8' } }
    assert.equal(
      pinProblem(pin, made),
      'is sha256:b and not sha256:a: curl was not there → 8, git 2.39 → 2.40, tini 0.19 → gone.',
    )
  })

  it('is refused when other bytes have the same packages', () => {
    assert.match(
      pinProblem(pin, { ...pin, digest: 'sha256:b' }) ?? '',
      /sha256:b and not sha256:a: though its packages/,
    )
  })

  it('is pinned for amd64, with what the image is for', () => {
    const { amd64 } = JSON.parse(readFileSync(join(root, 'scripts/release/image-base.json'), 'utf8'))
    assert.match(amd64.digest, /^sha256:[0-9a-f]{64}$/)
    for (const name of ['ca-certificates', 'git', 'libstdc++6', 'tini']) assert.ok(amd64.packages[name], name)
  })
})

describe('the list of dpkg', () => {
  it('names what is installed, and not what was removed', () => {
    const status = [
      'Package: git\nStatus: install ok installed\nArchitecture: amd64\nVersion: 1:2.39.5-0+deb12u2\nDescription: a tool\n Version: none of it\n',
      'Package: adduser\nStatus: deinstall ok config-files\nArchitecture: all\nVersion: 3.134\n',
      'Package: base-files\nEssential: yes\nStatus: install ok installed\nArchitecture: amd64\nVersion: 12.4\n',
    ].join('\n')
    assert.deepEqual(packagesOfStatus(status), [
      { name: 'base-files', version: '12.4', architecture: 'amd64' },
      { name: 'git', version: '1:2.39.5-0+deb12u2', architecture: 'amd64' },
    ])
  })
})
