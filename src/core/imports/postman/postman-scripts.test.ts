import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { readTestScript } from './postman-scripts.ts'

function captured(variable: string, where: object): object {
  return { captures: [{ variable, where }] }
}

describe('a test script of Postman', () => {
  const nothing = { statuses: [], expectations: {}, captures: [], rest: null }
  const cases: [script: string, meaning: object][] = [
    ['', {}],
    ['// nothing\n/* at all */', {}],
    ['"use strict";', {}],
    ['pm.response.to.have.status(200);', { statuses: [[200, 200]] }],
    ['pm.test("a", function () {\n  pm.response.to.have.status(404);\n});', { statuses: [[404, 404]] }],
    ["pm.test('it\\'s', async () => { pm.response.to.have.status( 204 ) })", { statuses: [[204, 204]] }],
    ['pm.test(`a`, () => pm.expect(pm.response.code).to.equal(201))', { statuses: [[201, 201]] }],
    ['pm.expect(pm.response.code).to.be.eql(201)', { statuses: [[201, 201]] }],
    [
      'pm.expect(pm.response.code).to.be.oneOf([200, 201])',
      {
        statuses: [
          [200, 200],
          [201, 201],
        ],
      },
    ],
    ['pm.expect(pm.response.code).to.be.oneOf([ok])', { rest: 'pm.expect pm.response.code .to.be.oneOf [ok]' }],
    ['tests["Status is 200"] = responseCode.code === 200;', { statuses: [[200, 200]] }],
    ['pm.response.to.be.ok', { statuses: [[200, 299]] }],
    ['pm.response.to.have.status(999)', { rest: 'pm.response.to.have.status 999' }],
    ['pm.expect(pm.response.responseTime).to.be.below(50)', { expectations: { max_latency_ms: 100 } }],
    [
      'pm.response.to.have.header("X-A"); pm.response.to.have.header("X-B", "c");',
      {
        expectations: {
          expected_headers: [
            { name: 'X-A', match: 'present' },
            { name: 'X-B', value: 'c' },
          ],
        },
      },
    ],
    ['pm.expect(pm.response.text()).to.include("Hello \\"you\\"")', { expectations: { keyword: 'Hello "you"' } }],
    ['pm.environment.set("a", pm.response.json().b.c[0].d)', captured('a', { json_path: 'b.c.0.d' })],
    ["pm.globals.set('a', pm.response.json()['b-c']?.d)", captured('a', { json_path: 'b-c.d' })],
    ['pm.variables.set("a", pm.response.headers.get("X-Token"))', captured('a', { header: 'X-Token' })],
    ['var d = JSON.parse(responseBody);\npostman.setEnvironmentVariable("a", d.b);', captured('a', { json_path: 'b' })],
    [
      'let d = pm.response.json(), x;\nconst e = d.data;\npm.collectionVariables.set("a", e.id);',
      { ...captured('a', { json_path: 'data.id' }), rest: 'x' },
    ],
    ['const t = pm.response.headers.get("T"); pm.environment.set("a", t)', captured('a', { header: 'T' })],
    ['pm.environment.set("a", "b")', { rest: 'pm.environment.set "a" "b"' }],
    ['pm.environment.set("a", pm.response.json())', { rest: 'pm.environment.set "a" pm.response.json' }],
    ['pm.environment.set("a", other.b)', { rest: 'pm.environment.set "a" other.b' }],
    ['const u = "https://a.example//b"; // c', { rest: 'const u = "https://a.example//b"' }],
    ['console.log("pm.response")', { rest: 'console.log "pm.response"' }],
  ]
  for (const [script, meaning] of cases)
    it(`means what it says: ${script}`, () => assert.deepEqual(readTestScript(script), { ...nothing, ...meaning }))

  it('tells that it is too long', () =>
    assert.equal(readTestScript(`pm.response.to.be.ok;${' '.repeat(10_000)}x`).rest?.trim(), 'x'))

  it('is read in time, whatever it says', () => {
    const piece = fc.constantFrom(
      '"',
      "'",
      '`',
      '\\',
      '/*',
      '//',
      ' ',
      '\n',
      'const a = ',
      'pm.test("',
      '.a',
      '[1]',
      'a',
    )
    fc.assert(
      fc.property(piece, piece, (one, other) => {
        const startedMs = performance.now()
        readTestScript(one.repeat(10_000) + other)
        readTestScript((one + other).repeat(3_000))
        assert.ok(performance.now() - startedMs < 500)
      }),
      { numRuns: 200 },
    )
  })
})
