import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Affected, AffectedRange } from '#core/software/advisory.ts'
import { compileAffected, fixesOf, isAffected, mayBeAffected, type CompiledAffected } from './affected.ts'
import { type ParsedVersion, versionOrder, type VersionScheme } from './version-order.ts'

describe('isAffected', () => {
  it('takes what lies between the bounds, each with or without itself', () => {
    const cases: [AffectedRange, string[], string[]][] = [
      [range({}), ['0.0.0-0', '0', '1', '999.0.0'], []],
      [range({ fixed: '1.2.3' }), ['0.0.1', '1.2.2', '1.2.3-rc.1'], ['1.2.3', '1.2.3+build', '1.2.4']],
      [range({ lastAffected: '1.2.3' }), ['0', '1.2.3', '1.2.3+build'], ['1.2.4-0', '1.2.3.1', '2.0.0']],
      [range({ introduced: '0' }), ['0.0.0-alpha', '0.0.0'], []],
      [range({ introduced: '1.0.0' }), ['1.0.0', '1.0.1', '2.0.0'], ['0.9.9', '1.0.0-rc.1']],
      [
        range({ introduced: '1.0.0', isIntroducedIncluded: false }),
        ['1.0.1-0', '1.0.1'],
        ['1.0.0', '1.0.0+a', '0.9.9'],
      ],
      [range({ introduced: '0', isIntroducedIncluded: false }), ['0.0.1'], ['0.0.0', '0.0.0-a']],
      [range({ introduced: '1.0.0', fixed: '1.2.0' }), ['1.0.0', '1.1.99', '1.2.0-rc.1'], ['0.9.0', '1.2.0', '1.10.0']],
      [range({ introduced: '1.0.0', lastAffected: '1.0.0' }), ['1.0.0'], ['0.9.9', '1.0.0-a', '1.0.1']],
      [range({ introduced: '1.0.0', fixed: '1.6.0', lastAffected: '1.4.0' }), ['1.4.0'], ['1.4.1', '1.6.0']],
      [range({ introduced: '1.0.0', fixed: '1.2.0', lastAffected: '1.4.0' }), ['1.1.0'], ['1.2.0', '1.4.0']],
      [range({ introduced: '2.0.0', fixed: '1.0.0' }), [], ['0.9.0', '1.0.0', '1.5.0', '2.0.0', '3.0.0']],
      [range({ introduced: '1.0.0', fixed: '1.0.0' }), [], ['0.9.0', '1.0.0', '1.0.1']],
    ]
    for (const [one, inside, outside] of cases) {
      const compiled = compileAffected({ ranges: [one], versions: [] }, 'npm')
      for (const version of inside)
        assert.ok(isAffected(compiled, npm(version)), `${version} in ${JSON.stringify(one)}`)
      for (const version of outside)
        assert.ok(!isAffected(compiled, npm(version)), `${version} not in ${JSON.stringify(one)}`)
    }
  })

  it('takes what lies in any of several ranges, in whatever order they are written', () => {
    const compiled = compileAffected({ ranges: nextMiddleware, versions: [] }, 'npm')
    const inside = ['12.0.0', '12.3.4', '13.5.8', '14.2.24', '15.2.2']
    const outside = ['11.1.4', '12.0.0-canary.1', '12.3.5', '13.5.9', '14.2.25', '15.2.3']
    for (const version of [...inside, ...outside])
      assert.equal(isAffected(compiled, npm(version)), inside.includes(version), version)
  })

  it('takes what is listed, however it is spelt, also outside the ranges', () => {
    const compiled = compileAffected(
      { ranges: [range({ fixed: '1.0' })], versions: ['2.0', '3.0.post1', 'trunk'] },
      'pypi',
    )
    const inside = ['0.9', '2.0', '2.0.0', 'v2', '3.0-1']
    const outside = ['1.0', '2.0rc1', '2.0.1', '3.0']
    for (const version of [...inside, ...outside])
      assert.equal(isAffected(compiled, read(version, 'pypi')), inside.includes(version), version)
  })

  it('affects nothing without ranges and versions', () => {
    const compiled = compileAffected({ ranges: [], versions: [] }, 'npm')
    assert.equal(isAffected(compiled, npm('1.0.0')), false)
    assert.equal(mayBeAffected(compiled, npm('1.0.0')), false)
    assert.equal(mayBeAffected(compiled, null), false)
  })

  it('goes by the order of each scheme', () => {
    const cases: [VersionScheme, Partial<AffectedRange>, string, boolean][] = [
      ['generic', { introduced: '1.0.2', fixed: '1.0.2zg' }, '1.0.2k-fips', true],
      ['generic', { introduced: '1.0.2', fixed: '1.0.2zg' }, '1.0.2zh', false],
      ['generic', { introduced: '8.5p1', fixed: '9.8p1' }, '9.6p1-3ubuntu13.4', true],
      ['generic', { introduced: '8.5p1', fixed: '9.8p1' }, '9.8p1', false],
      ['generic', { introduced: '8.5p1', fixed: '9.8p1' }, '8.5', false],
      ['generic', { lastAffected: '1.0.2k' }, '1.0.2k-16.el7', true],
      ['generic', { introduced: '1.26.0-0', fixed: '1.26.2' }, '1.26.0-rc.1', true],
      ['go', { introduced: '1.26.0-0', fixed: '1.26.2' }, 'go1.26rc1', true],
      ['go', { fixed: '20.10.9+incompatible' }, 'v20.10.8+incompatible', true],
      ['go', { fixed: '0.0.0-20220524220425-1d687d428aca' }, 'v0.0.0-20210101000000-abcdefabcdef', true],
      ['maven', { introduced: '4.1.0', fixed: '4.1.86.Final' }, '4.1.85.Final', true],
      ['maven', { introduced: '4.1.0', fixed: '4.1.86' }, '4.1.86.Final', false],
      ['nuget', { fixed: '13.0.1' }, '13.0.0.9', true],
      ['nuget', { lastAffected: '4.3' }, '4.3.0.0', true],
      ['gem', { introduced: '6.1.0', fixed: '6.1.7.1' }, '6.1.7', true],
      ['composer', { introduced: '1.0.0', fixed: '1.0.5' }, 'v1.0', true],
      ['pypi', { introduced: '3.2', fixed: '3.2.23' }, '3.2.22.post1', true],
      ['debian', { fixed: '1:9.2p1-2+deb12u3' }, '1:9.2p1-2+deb12u2', true],
      ['cargo', { introduced: '0.0.0-0', fixed: '0.7.4' }, '0.7.4-alpha', true],
    ]
    for (const [scheme, bounds, version, expected] of cases) {
      const compiled = compileAffected({ ranges: [range(bounds)], versions: [] }, scheme)
      assert.equal(
        isAffected(compiled, read(version, scheme)),
        expected,
        `${scheme} ${version} ${JSON.stringify(bounds)}`,
      )
    }
  })
})

describe('mayBeAffected', () => {
  it('says yes for an unknown version wherever something is affected', () => {
    for (const affected of [
      { ranges: [range({ fixed: '1.0.0' })], versions: [] },
      { ranges: [], versions: ['1.0.0'] },
      { ranges: [range({ fixed: 'unclear' })], versions: [] },
    ])
      assert.equal(mayBeAffected(compileAffected(affected, 'npm'), null), true, JSON.stringify(affected))
  })

  it('leaves a bound open that cannot be read, and keeps the others', () => {
    const cases: [Partial<AffectedRange>, string[], string[]][] = [
      [{ introduced: 'nightly.2026-03-10.0', fixed: '4.6.0' }, ['0.1.0', '4.5.9'], ['4.6.0', '5.0.0']],
      [{ introduced: '1.0.0', fixed: '<= 1 3.5.6' }, ['1.0.0', '99.0.0'], ['0.9.0']],
      [{ introduced: '1.0.0', lastAffected: 'unspecified' }, ['1.0.0', '99.0.0'], ['0.9.0']],
      [{ introduced: 'x', isIntroducedIncluded: false, lastAffected: 'y' }, ['0', '99.0.0'], []],
    ]
    for (const [bounds, possible, impossible] of cases) {
      const compiled = compileAffected({ ranges: [range(bounds)], versions: [] }, 'npm')
      for (const version of [...possible, ...impossible]) {
        assert.equal(isAffected(compiled, npm(version)), false, `${version} ${JSON.stringify(bounds)}`)
        assert.equal(
          mayBeAffected(compiled, npm(version)),
          possible.includes(version),
          `${version} ${JSON.stringify(bounds)}`,
        )
      }
    }
  })

  it('is not asked of what all bounds tell', () => {
    const compiled = compileAffected({ ranges: [range({ fixed: '1.0.0' })], versions: [] }, 'npm')
    for (const version of ['0.9.0', '1.0.0']) assert.equal(mayBeAffected(compiled, npm(version)), false, version)
  })
})

describe('fixesOf', () => {
  it('names the fix of the range, and the next sound one of the release line', () => {
    const cases: [string, Affected[], string | null, string | null, string | null][] = [
      ['the line has a fix', [ranges(...nextMiddleware)], '13.4.0', '13.5.9', '13.5.9'],
      ['the highest line', [ranges(...nextMiddleware)], '15.0.0', '15.2.3', '15.2.3'],
      [
        'the line has none of its own, the major version has',
        [ranges(range({ introduced: '1.0.0', fixed: '1.9.4' }), range({ introduced: '2.0.0', fixed: '2.0.1' }))],
        '1.2.0',
        '1.9.4',
        '1.9.4',
      ],
      [
        'a fix of the line that another range still holds: the next',
        [ranges(range({ introduced: '1.0.0', fixed: '1.3.1' }), range({ introduced: '1.2.0', fixed: '1.2.9' }))],
        '1.2.0',
        '1.3.1',
        '1.3.1',
      ],
      [
        'its own range has no end: the next sound fix above',
        [
          ranges(
            range({ introduced: '11.1.4', lastAffected: '12.3.4' }),
            range({ introduced: '13.0.0', fixed: '13.5.9' }),
            range({ introduced: '14.0.0', fixed: '14.2.25' }),
          ),
        ],
        '12.1.0',
        '14.2.25',
        '13.5.9',
      ],
      ['no fix anywhere', [ranges(range({ lastAffected: '2.0.0' }))], '1.0.0', null, null],
      ['no fix above', [ranges(range({ introduced: '1.0.0' }), range({ fixed: '0.9.0' }))], '1.5.0', null, null],
      [
        'a fix that another source still calls affected: on to the next',
        [ranges(range({ fixed: '2.4.2' })), ranges(range({ fixed: '2.4.3' }))],
        '2.4.1',
        '2.4.2',
        '2.4.3',
      ],
      [
        'a fix that is listed as affected: on to the next',
        [{ ranges: [range({ fixed: '1.0.1' }), range({ introduced: '2.0.0', fixed: '2.0.1' })], versions: ['1.0.1'] }],
        '1.0.0',
        '1.0.1',
        '2.0.1',
      ],
      [
        'the first source has no fix, the second has',
        [ranges(range({ lastAffected: '1.4.9' })), ranges(range({ fixed: '1.5.0' }))],
        '1.4.0',
        '1.5.0',
        '1.5.0',
      ],
      ['listed only', [{ ranges: [], versions: ['1.0.0'] }], '1.0.0', null, null],
      [
        'listed, and fixed in a line above',
        [{ ranges: [range({ introduced: '2.0.0', fixed: '2.1.0' })], versions: ['1.0.0'] }],
        '1.0.0',
        '2.1.0',
        '2.1.0',
      ],
      ['an unknown version: the last', [ranges(...nextMiddleware)], null, '15.2.3', '15.2.3'],
      [
        'vague, with a fix that can be read',
        [ranges(range({ introduced: '?', fixed: '4.6.0' }))],
        '4.5.0',
        '4.6.0',
        '4.6.0',
      ],
      ['vague, without', [ranges(range({ introduced: '4.0.0', fixed: '?' }))], '4.5.0', null, null],
      ['nothing known', [], '1.0.0', null, null],
      [
        'certain before vague',
        [ranges(range({ introduced: '?', fixed: '9.0.0' })), ranges(range({ fixed: '8.0.0' }))],
        '7.0.0',
        '8.0.0',
        '8.0.0',
      ],
    ]
    for (const [name, group, version, fixedIn, fixVersion] of cases) {
      const compiled = group.map((affected) => compileAffected(affected, 'npm'))
      assert.deepEqual(fixesOf(compiled, version === null ? null : npm(version)), { fixedIn, fixVersion }, name)
    }
  })

  it('finds the release line in the spelling of each scheme, and gives the fix as the advisory spells it', () => {
    const cases: [VersionScheme, string[], string, string][] = [
      ['generic', ['3.0.14', '1.0.2zg', '1.1.1w'], '1.1.1k', '1.1.1w'],
      ['generic', ['12.17', '13.13', '14.10'], '13.4', '13.13'],
      ['generic', ['9.8p1', '9.10'], '9.6p1-3ubuntu13.4', '9.8p1'],
      ['go', ['1.25.9', 'v1.26.2'], 'go1.26rc1', 'v1.26.2'],
      ['pypi', ['1!2.0.1', '1!1.4.1'], '1!1.4.0', '1!1.4.1'],
      ['debian', ['1:9.2p1-2+deb12u3', '1:10.0p1-1'], '1:9.2p1-2', '1:9.2p1-2+deb12u3'],
      ['composer', ['v5.4.46', 'v6.4.14'], '5.04.20', 'v5.4.46'],
      ['npm', ['2.0.0', '1.8.0'], '=v1.7.0', '1.8.0'],
    ]
    for (const [scheme, fixes, version, expected] of cases) {
      const compiled: CompiledAffected[] = fixes.map((fixed) =>
        compileAffected({ ranges: [range({ introduced: fixed, fixed })], versions: [] }, scheme),
      )
      assert.equal(fixesOf(compiled, read(version, scheme)).fixVersion, expected, `${scheme} ${version}`)
    }
  })
})

const nextMiddleware = [
  range({ introduced: '13.0.0', fixed: '13.5.9' }),
  range({ introduced: '14.0.0', fixed: '14.2.25' }),
  range({ introduced: '15.0.0', fixed: '15.2.3' }),
  range({ introduced: '12.0.0', fixed: '12.3.5' }),
]

function range(bounds: Partial<AffectedRange>): AffectedRange {
  return { introduced: null, isIntroducedIncluded: true, fixed: null, lastAffected: null, ...bounds }
}

function ranges(...all: AffectedRange[]): Affected {
  return { ranges: all, versions: [] }
}

function npm(text: string): ParsedVersion {
  return read(text, 'npm')
}

function read(text: string, scheme: VersionScheme): ParsedVersion {
  const version = versionOrder(scheme).parse(text)
  assert.ok(version !== null, `${scheme} ${text}`)
  return version
}
