import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { resolveSoftware } from '#core/software/software-catalog.ts'
import { anyCharacter } from '../../test/support/any-character.ts'
import { packagesIn, refusalOf, sampleManifests } from '../../test/support/manifests.ts'
import { manifestFormats } from './file-names.ts'
import { maxContentLength, readManifest } from './index.ts'
import { ManifestError, type ReadableFormat } from './manifest.ts'
import { readInThread } from './manifest-thread.ts'

const formats: readonly ReadableFormat[] = [...manifestFormats, 'plain']

/** Pieces with a meaning in some format. */
const characters = [
  '\n',
  '\r\n',
  '\0',
  '\uD800',
  '\uFEFF',
  '\u2028',
  ' ',
  '\t',
  '\\',
  ...'"\'`#{}[]()<>&!:|%,=@$;~^v-'.split(''),
]
const marks = [
  '//',
  '<!--',
  '-->',
  ']]>',
  '</',
  '/>',
  '&a',
  '*a',
  '<<: *a',
  '!!int',
  '---\n',
  '...\n',
  ': ',
  '- ',
  '? ',
]
const words = ['==', '@@', '${', '${A:-', '$(', '__proto__', 'constructor', 'null', 'true', '1.0', '-1', '1e999']
const starts = ['[[package]]\n', 'FROM ', 'RUN <<EOF\n', 'require (\n', 'GEM\n', 'services:\n']
const pieces = fc.constantFrom(...characters, ...marks, ...words, ...starts)

type Change = { at: number; removed: number; added: string }
const changes = fc.array(
  fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    removed: fc.nat({ max: 20 }),
    added: fc.oneof(pieces, fc.string({ unit: anyCharacter, maxLength: 5 })),
  }),
  { minLength: 1, maxLength: 6 },
)

describe('a manifest of any format', () => {
  for (const format of formats) {
    const sample = sampleManifests[format]

    it(`of ${format} is read`, () => assert.ok(packagesIn(format, sample).length > 0))

    it(`of ${format} that was changed anywhere is read or refused, and nothing else`, () => {
      fc.assert(
        fc.property(changes, (made) => assertSound(format, made.reduce(changed, sample))),
        { numRuns: 400 },
      )
    })

    it(`of ${format} that is any text is read or refused, and nothing else`, () => {
      const texts = fc.oneof(
        fc.string({ unit: anyCharacter, maxLength: 200 }),
        fc.array(pieces, { maxLength: 40 }).map((made) => made.join('')),
      )
      fc.assert(
        fc.property(texts, (text) => assertSound(format, text)),
        { numRuns: 400 },
      )
    })
  }

  it('is the same with a byte order mark and with the line ends of Windows', () => {
    for (const format of formats) {
      const read = packagesIn(format, sampleManifests[format])
      assert.deepEqual(packagesIn(format, `\uFEFF${sampleManifests[format]}`), read)
      assert.deepEqual(packagesIn(format, sampleManifests[format].replaceAll('\n', '\r\n')), read)
    }
  })

  it('names nothing that a database could not keep', () => {
    const lock = { packages: { 'node_modules/a\0': { version: '1' }, 'node_modules/b': { version: '1\0' } } }
    assert.deepEqual(packagesIn('package-lock.json', JSON.stringify(lock)), ['npm:b'])
    const long = {
      packages: { 'node_modules/a': { version: '1'.repeat(129) }, 'node_modules/b': { version: '\uD8001' } },
    }
    assert.deepEqual(packagesIn('package-lock.json', JSON.stringify(long)), ['npm:a', 'npm:b'])
  })

  it('is refused above 5,000,000 characters', () => {
    assert.equal(refusalOf('plain', ' '.repeat(maxContentLength)), null)
    assert.equal(refusalOf('plain', ' '.repeat(maxContentLength + 1)), 'It has more than 5,000,000 characters.')
  })

  it('is refused above 50,000 packages', () => {
    const dependencies = Object.fromEntries(Array.from({ length: 50_001 }, (_, index) => [`p${index}`, '1.0.0']))
    const content = JSON.stringify({ dependencies })
    assert.equal(refusalOf('package.json', content), 'It names more than 50,000 packages; import it in parts.')
    assert.equal(packagesIn('package.json', content.replace('"p50000":"1.0.0"', '"p0":"1.0.0"')).length, 50_000)
  })
})

describe('a manifest of 5 MB that was made to be slow', () => {
  const long = maxContentLength
  const slow: [label: string, formats: readonly ReadableFormat[], content: () => string][] = [
    ['nested lists', ['package.json', 'pnpm-lock.yaml', 'poetry.lock'], () => filled('[')],
    ['nested objects', ['package-lock.json'], () => filled('{"dependencies":')],
    ['a deep tree', ['package-lock.json'], () => nested('{"dependencies":{"a":', '{}', '}}')],
    ['many lists', ['composer.lock'], () => `[${filled('[],')}`.slice(0, long - 3).concat(']')],
    [
      'many keys',
      ['pnpm-lock.yaml', 'poetry.lock'],
      () => numbered((index) => `a${index}${index % 2 ? ': 1' : ': b'}\n`),
    ],
    ['many tables', ['Cargo.lock'], () => numbered((index) => `[a${index}]\n`)],
    ['dotted tables', ['Cargo.lock'], () => numbered((index) => `[${'a.'.repeat(index)}b]\n`)],
    ['documents', ['pnpm-lock.yaml', 'docker-compose.yml'], () => filled('---\n')],
    ['anchors', ['docker-compose.yml'], () => filled('- &a b\n')],
    ['indentation', ['docker-compose.yml'], () => numbered((index) => `${' '.repeat(index)}a:\n`)],
    ['unclosed comments', ['pom.xml', '.csproj'], () => `<project>${filled('<a><!--')}`.slice(0, long)],
    ['an unclosed DOCTYPE', ['pom.xml'], () => `<!DOCTYPE a [${filled('<!--')}`.slice(0, long)],
    ['attributes', ['.csproj'], () => `<a${filled(' b="c"')}`.slice(0, long - 2).concat('/>')],
    ['nested elements', ['pom.xml'], () => filled('<a>')],
    ['entities', ['pom.xml'], () => `<a>${filled('&amp;')}`.slice(0, long - 4).concat('</a>')],
    ['short lines', ['requirements.txt', 'plain', 'yarn.lock'], () => filled('a=b\n')],
    ['one line', [...formats], () => filled('a ')],
    ['continued lines', ['requirements.txt', 'Dockerfile'], () => filled('a \\\n')],
    ['heredocs', ['Dockerfile'], () => filled('RUN <<A\n')],
    ['braces', ['Dockerfile'], () => `FROM ${filled('${A:-')}`.slice(0, long)],
    [
      'arguments that grow',
      ['Dockerfile'],
      () => `${numbered((index) => `ARG A${index + 1}=$A${index}$A${index}\n`)}FROM a`,
    ],
    ['comments', ['.nvmrc', '.tool-versions', 'go.mod'], () => filled(' #//')],
    ['blocks', ['go.mod'], () => filled('require (\n')],
    ['separators', ['plain', 'requirements.txt', 'yarn.lock'], () => filled('@= :')],
  ]
  for (const [label, ofFormats, content] of slow)
    for (const format of ofFormats)
      it(`by ${label} is read or refused as ${format} within seconds`, () => {
        const text = content().slice(0, long)
        const before = process.cpuUsage()
        assertSound(format, text)
        // None takes two seconds of a core of its own; a reader that is not linear would take hours.
        assert.ok(process.cpuUsage(before).user < 20_000_000)
      })

  for (const format of formats)
    it(`is read in a thread that is ended at its deadline, as ${format}`, async () => {
      const outcome = await readInThread({ format, content: filled('a=b\n') }, { timeoutMs: 1 })
      assert.deepEqual(outcome, { type: 'given up', problem: 'It takes too long to read.' })
    })

  it('by aliases that stand for aliases costs nothing', () => {
    const names = Array.from({ length: 26 }, (_, index) => String.fromCodePoint(97 + index))
    const lines = names.map((name, index) => `${name}: &${name} [${`*${names[index - 1] ?? 'a'},`.repeat(9)}]`)
    const content = `a: &a [x]\n${lines.slice(1).join('\n')}\nservices: *z\n`
    assert.deepEqual(packagesIn('docker-compose.yml', content), [])
    const merged = numbered((index) => `k${index}: {<<: *x}\n`)
    const keys = Array.from({ length: 100 }, (_, index) => `k${index}: b`).join(', ')
    assert.match(refusalOf('docker-compose.yml', `x: &x {${keys}}\n${merged}`.slice(0, long)) ?? '', /not valid YAML/)
  })

  it('by more documents than any file has is refused before they are read', () => {
    for (const mark of ['---\n', '...\n---\na: b\n', '---\r', '--- a\n'])
      for (const format of ['pnpm-lock.yaml', 'docker-compose.yml'] as const)
        assert.equal(refusalOf(format, filled(mark)), 'It has more than 1,000 YAML documents.')
    const document = 'services: {web: {image: "nginx:1.27.4"}}\n'
    assert.deepEqual(packagesIn('docker-compose.yml', document.concat('---\n', document)), ['nginx 1.27.4'])
    assert.deepEqual(packagesIn('docker-compose.yml', Array(1_001).fill(document).join('---\n')), ['nginx 1.27.4'])
  })

  it('by properties that stand for properties costs nothing', () => {
    const properties = Array.from(
      { length: 30 },
      (_, index) => `<p${index + 1}>\${p${index}}\${p${index}}</p${index + 1}>`,
    )
    const dependency =
      '<dependency><groupId>g</groupId><artifactId>a</artifactId><version>${p30}</version></dependency>'
    const content = `<project><properties><p0>1</p0>${properties.join('')}</properties><dependencies>${dependency}</dependencies></project>`
    assert.deepEqual(packagesIn('pom.xml', content), ['maven:g:a'])
  })

  function filled(piece: string): string {
    return piece.repeat(Math.floor(long / piece.length))
  }

  function nested(open: string, inner: string, close: string): string {
    const depth = Math.floor((long - inner.length) / (open.length + close.length))
    return open.repeat(depth) + inner + close.repeat(depth)
  }

  function numbered(line: (index: number) => string): string {
    const lines: string[] = []
    for (let length = 0; length < long; length += lines.at(-1)?.length ?? long) lines.push(line(lines.length))
    return lines.join('').slice(0, long)
  }
})

function changed(text: string, { at, removed, added }: Change): string {
  const from = Math.floor(at * text.length)
  return text.slice(0, from) + added + text.slice(from + removed)
}

/** Each package once, with a key and a version that can be stored, or a sentence. */
function assertSound(format: ReadableFormat, content: string): void {
  try {
    const { packages, unrecognized } = readManifest(format, content, { resolve: resolveSoftware })
    assert.equal(new Set(packages.map(({ product, version }) => `${product} ${version}`)).size, packages.length)
    for (const { product, name, version } of packages) {
      assert.ok(/^[!-~]+$/.test(product) && name !== '', product)
      assert.ok(version === null || /^[!-~]{1,128}$/.test(version), version ?? '')
    }
    assert.ok(format === 'plain' || unrecognized.length === 0)
  } catch (error) {
    if (!(error instanceof ManifestError)) throw error
    assert.match(error.message, /^It [\w .,:;()-]+\.$/)
  }
}
