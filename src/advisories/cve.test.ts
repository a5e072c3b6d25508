import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { cveRecord } from '../../test/support/advisory-records.ts'
import { sharedText, withoutSharedData } from '../../test/support/shared-data.ts'
import { AdvisoryError } from './advisory-error.ts'
import { compileAffected, isAffected, mayBeAffected } from './affected.ts'
import { readCve } from './cve.ts'
import { affectedByCve, type CveVersion } from './cve-versions.ts'
import { versionOrder } from './version-order.ts'

type Told = 'affected' | 'may be' | 'not'

function told(versions: CveVersion[], defaultStatus: string | undefined, text: string): Told {
  const version = versionOrder('generic').parse(text)
  assert.ok(version !== null, text)
  const { isVague, ...affected } = affectedByCve(versions, defaultStatus)
  const compiled = compileAffected(affected, 'generic')
  if (!isAffected(compiled, version) && !mayBeAffected(compiled, version)) return 'not'
  return isVague || !isAffected(compiled, version) ? 'may be' : 'affected'
}

const hit = (version: string, more: Partial<CveVersion> = {}): CveVersion => ({ version, status: 'affected', ...more })
const miss = (version: string, more: Partial<CveVersion> = {}): CveVersion => ({
  version,
  status: 'unaffected',
  ...more,
})

function isSingle({ lessThan }: CveVersion): boolean {
  return lessThan === undefined
}

describe('affectedByCve', () => {
  const cases: [string, CveVersion[], string | undefined, Record<string, Told>][] = [
    [
      'an end that is excluded',
      [hit('0', { lessThan: '2.0' })],
      'unaffected',
      { '0.1': 'affected', '1.9': 'affected', '2.0': 'not' },
    ],
    [
      'an end that is included',
      [hit('1.0', { lessThanOrEqual: '2.0' })],
      undefined,
      { '0.9': 'not', '2.0': 'affected', '2.0.1': 'not' },
    ],
    ['no end', [hit('1.0', { lessThan: '*' })], undefined, { '0.9': 'not', '9': 'affected' }],
    [
      'all that comes before',
      [hit('*', { lessThanOrEqual: '1.8.4' })],
      'unaffected',
      { '1.8.4': 'affected', '1.8.5': 'not' },
    ],
    ['one version', [hit('7.61.1')], undefined, { '7.61.1': 'affected', '7.61.0': 'not' }],
    [
      'bounds in words',
      [hit('>= 1.2, < 1.4.2'), hit('< 1.0')],
      undefined,
      { '0.9': 'affected', '1.1': 'not', '1.2': 'affected', '1.4.2': 'not' },
    ],
    [
      'a bound in words that is excluded',
      [hit('> 14.0.0, < 14.2.25')],
      undefined,
      { '14.0.0': 'not', '14.0.1': 'affected', '14.2.25': 'not' },
    ],
    ['everything in words', [hit('all versions')], undefined, { '1.0': 'affected' }],
    ['a sentence', [hit('prior to the May release')], undefined, { '1.0': 'may be' }],
    ['a bound that is misspelt', [hit('>= 11.1.4, <= 1 3.5.6')], undefined, { '99.0': 'may be' }],
    ['a line of releases', [hit('4.x')], undefined, { '4.2': 'may be' }],
    [
      'an end that is a line of releases',
      [hit('1.0', { lessThan: '5.*' })],
      undefined,
      { '0.9': 'not', '4.2': 'may be' },
    ],
    ['nothing', [hit('n/a'), hit('unspecified')], undefined, { '1.0': 'not' }],
    ['commits', [hit('abc123', { versionType: 'git', lessThan: 'def456' })], undefined, { '1.0': 'not' }],
    [
      'everything but what is spared',
      [miss('6.1.20', { lessThanOrEqual: '6.1.99' }), miss('6.6', { lessThan: '*' })],
      'affected',
      { '6.1.19': 'affected', '6.1.20': 'not', '6.1.99': 'not', '6.2': 'affected', '6.6': 'not', '7.0': 'not' },
    ],
    ['everything but one version', [miss('1.5')], 'affected', { '1.4': 'affected', '1.5': 'not', '1.6': 'affected' }],
    [
      'a range with a hole',
      [hit('1.0', { lessThan: '3.0' }), miss('2.0', { lessThan: '2.5' })],
      undefined,
      { '1.9': 'affected', '2.0': 'not', '2.4': 'not', '2.5': 'affected', '3.0': 'not' },
    ],
    [
      'everything but what ends where another hole is',
      [miss('2.0'), miss('1.0', { lessThan: '2.0' })],
      'affected',
      { '0.9': 'affected', '1.0': 'not', '1.9': 'not', '2.0': 'not', '2.1': 'affected' },
    ],
    ['a hole that cannot be read', [miss('6.1.20', { lessThanOrEqual: '6.1.*' })], 'affected', { '6.1.30': 'may be' }],
    [
      'changes of the status',
      [
        hit('1.0', {
          lessThan: '9.0',
          changes: [
            { at: '1.5', status: 'unaffected' },
            { at: '2.0', status: 'affected' },
            { at: '2.2', status: 'unaffected' },
          ],
        }),
      ],
      undefined,
      { '0.9': 'not', '1.4': 'affected', '1.5': 'not', '2.1': 'affected', '2.2': 'not' },
    ],
    [
      'a change without an end',
      [hit('3.0', { changes: [{ at: '3.4', status: 'unaffected' }] })],
      undefined,
      { '3.3': 'affected', '3.4': 'not', '2.9': 'not' },
    ],
  ]
  for (const [what, versions, defaultStatus, expected] of cases)
    it(`reads ${what}`, () => {
      for (const [version, status] of Object.entries(expected))
        assert.equal(told(versions, defaultStatus, version), status, version)
    })

  it('never throws, and cuts holes as single versions tell', () => {
    const number = fc.nat(9).map(String)
    const entry = fc.record(
      { version: number, status: fc.constantFrom('affected', 'unaffected'), lessThan: number },
      { requiredKeys: ['version', 'status'] },
    )
    fc.assert(
      fc.property(
        fc.array(entry, { maxLength: 6 }),
        fc.constantFrom('affected', undefined),
        number,
        (versions, all, at) => {
          const covers = ({ version, lessThan }: CveVersion): boolean =>
            lessThan === undefined ? version === at : Number(version) <= Number(at) && Number(at) < Number(lessThan)
          const coveredBy = (status: string): CveVersion[] =>
            versions.filter((one) => one.status === status && covers(one))
          const [hits, misses] = [coveredBy('affected'), coveredBy('unaffected')]
          // A version that is named itself takes precedence over a range that holds it.
          const isNamed = hits.some(isSingle) && !misses.some(isSingle)
          const isHit = all === 'affected' || hits.length > 0
          const isAffectedHere = isNamed || (isHit && misses.length === 0)
          assert.equal(told(versions, all, at), isAffectedHere ? 'affected' : 'not')
        },
      ),
    )
  })
})

const productsOf = (affected: unknown[], changes: Record<string, unknown> = {}): string[] =>
  readCve(JSON.parse(cveRecord('CVE-2026-1000', affected, changes))).affected.map(({ product }) => product)

const references = (...urls: string[]): unknown => ({ references: urls.map((url) => ({ url })) })

const real = (id: string): ReturnType<typeof readCve> => readCve(JSON.parse(sharedText(`cve5/${id}.json`)))

describe('readCve', () => {
  const versions = [{ version: '0', lessThan: '2.0', status: 'affected' }]

  it('names products by their CPEs, else by the words that a CPE is made of, and packages never', () => {
    const cpes = ['cpe:2.3:a:f5:nginx:*:*:*:*:*:*:*:*', 'cpe:2.3:h:f5:box:*:*:*:*:*:*:*:*']
    assert.deepEqual(productsOf([{ vendor: 'F5', product: 'NGINX Open Source', cpes, versions }]), ['cpe:f5:nginx'])
    assert.deepEqual(productsOf([{ vendor: 'Vercel', product: 'Next.js', versions }]), ['cpe:vercel:next.js'])
    assert.deepEqual(productsOf([{ vendor: 'Big Corp', product: 'Web Server', versions }]), ['cpe:big_corp:web_server'])
    assert.deepEqual(productsOf([{ vendor: 'n/a', product: 'n/a', versions }]), [])
    const npm = { collectionURL: 'https://registry.npmjs.org', packageName: 'next' }
    assert.deepEqual(productsOf([{ ...npm, versions }]), [])
  })

  it("knows WordPress's plugins and themes by the directory, or by the one that a record refers to", () => {
    const named = (kind: string): unknown => ({
      vendor: 'A',
      product: 'B',
      collectionURL: `https://wordpress.org/${kind}`,
      packageName: 'My-Forms',
      versions,
    })
    assert.deepEqual(productsOf([named('plugins')]), ['wp-plugin:my-forms', 'cpe:a:b'])
    assert.deepEqual(productsOf([named('themes')]), ['wp-theme:my-forms', 'cpe:a:b'])
    const plain = { vendor: 'A', product: 'B', versions }
    const sources = [
      'https://plugins.trac.wordpress.org/browser/forms/tags/1.0/x.php',
      'https://wordpress.org/plugins/forms/',
    ]
    assert.deepEqual(productsOf([plain], Object(references(...sources))), ['wp-plugin:forms', 'cpe:a:b'])
    const several = [...sources, 'https://plugins.trac.wordpress.org/browser/other/']
    assert.deepEqual(productsOf([plain], Object(references(...several))), ['cpe:a:b'])
    const change = 'https://plugins.trac.wordpress.org/changeset?old=1&new=2'
    assert.deepEqual(productsOf([plain], Object(references(change))), ['cpe:a:b'])
    assert.deepEqual(productsOf([plain, { ...plain, product: 'C' }], Object(references(...sources))), [
      'cpe:a:b',
      'cpe:a:c',
    ])
  })

  it('takes what others added to a record too', () => {
    const record = JSON.parse(cveRecord('CVE-2026-1000', [{ vendor: 'n/a', product: 'n/a', versions }]))
    record.containers.adp = [
      {
        affected: [{ vendor: 'x', product: 'y', cpes: ['cpe:2.3:a:f5:nginx:*:*:*:*:*:*:*:*'], versions }],
        metrics: [{ cvssV3_1: { vectorString: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H' } }],
      },
    ]
    const { affected, score } = readCve(record)
    assert.deepEqual([affected[0]?.product, score], ['cpe:f5:nginx', 9.8])
  })

  it('closes what was rejected', () => {
    const record = JSON.parse(cveRecord('CVE-2026-1000', [{ vendor: 'a', product: 'b', versions }]))
    record.cveMetadata.state = 'REJECTED'
    const { affected, withdrawnAt } = readCve(record)
    assert.deepEqual([affected, withdrawnAt], [[], new Date('2026-11-20T10:00:00Z')])
  })

  it('reads real records', { skip: withoutSharedData }, () => {
    const next = real('CVE-2025-29927')
    assert.deepEqual(
      [next.severity, next.affected[0]?.product, next.affected[0]?.mayApply],
      ['critical', 'cpe:vercel:next.js', true],
    )
    assert.deepEqual(real('CVE-2023-23127').affected, [])
    const tokio = real('CVE-2023-22466').affected[0]
    assert.deepEqual(
      tokio?.affected.ranges.map(({ introduced, fixed }) => [introduced, fixed]),
      [
        ['1.7.0', '1.18.4'],
        ['1.19.0', '1.20.3'],
        ['1.21.0', '1.23.1'],
      ],
    )
  })

  it('throws nothing but AdvisoryError, whatever it is given', () => {
    const version = fc.record(
      {
        version: fc.string(),
        status: fc.constantFrom('affected', 'unaffected', 'unknown'),
        lessThan: fc.string(),
        changes: fc.array(fc.record({ at: fc.string(), status: fc.string() })),
      },
      { requiredKeys: ['version', 'status'] },
    )
    const affected = fc.array(
      fc.record({
        vendor: fc.string(),
        product: fc.string(),
        versions: fc.array(version),
        defaultStatus: fc.constantFrom('affected', 'unaffected'),
        cpes: fc.array(fc.string()),
      }),
    )
    fc.assert(
      fc.property(fc.oneof(affected, fc.jsonValue()), fc.jsonValue(), (given, links) => {
        try {
          readCve({
            cveMetadata: { cveId: 'CVE-2026-1000', state: 'PUBLISHED' },
            containers: { cna: { affected: given, references: links } },
          })
        } catch (error) {
          assert.ok(error instanceof AdvisoryError, String(error))
        }
      }),
    )
  })
})
