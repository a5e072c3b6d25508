import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { looseCitations, type Shelf } from './citations.ts'

const headings: Readonly<Record<string, string[]>> = {
  'docs/decisions/payments.md': ['Payments', 'The order of paying'],
  'docs/payments.md': ['Payments', 'Quotes'],
}
const shelf: Shelf = {
  files: new Set([
    'ARCHITECTURE.md',
    'docs/api.md',
    'docs/decisions/payments.md',
    'docs/payments.md',
    'src/core/results/round.ts',
    'src/metrics/metrics-api.ts',
  ]),
  headingsOf: (file) => headings[file] ?? [],
}

const loose: readonly [name: string, file: string, text: string][] = [
  ['a document that lies elsewhere', 'src/core/a.ts', '// What counts (decisions.md A2).'],
  ['a line of the specification', 'src/core/a.ts', '/** Specification L601. */'],
  ['a section of it', 'src/core/a.ts', '/** Windows of a minute (specification, Limits). */'],
  ['the whole of it', 'src/core/a.ts', '/** Account of the specification. */'],
  ['a line of it in short', 'src/core/a.ts', ' * Spec L384'],
  ['material for research', 'src/core/a.ts', '// research/probes.md says more.'],
  ['a file that is gone', 'src/core/a.ts', '// As results/rounds.ts has it.'],
  ['a comment behind code', 'src/core/a.ts', 'const a = 1 // see gone.ts'],
  ['a room that is gone', 'docs/api.md', 'The fold is in `core/evaluation`.'],
  ['a section that is gone', 'src/core/a.ts', '// docs/decisions/payments.md ("Refunds")'],
  ['an anchor that is gone', 'ARCHITECTURE.md', '[a](docs/decisions/payments.md#refunds)'],
  ['a comment of a migration', 'src/store/migrations/0001-a.sql', 'create table a (); -- decisions.md A6'],
]

const kept: readonly [name: string, file: string, text: string][] = [
  ['a page', 'src/core/a.ts', '// docs/decisions/payments.md says why.'],
  ['a section', 'src/core/a.ts', '// docs/decisions/payments.md ("The order of paying")'],
  ['an anchor', 'ARCHITECTURE.md', '[a](docs/decisions/payments.md#the-order-of-paying)'],
  ['an anchor of the file beside, of two with one name', 'docs/api.md', '[a](payments.md#quotes)'],
  ['a file by its end', 'src/core/a.ts', '// round.ts closes it.'],
  ['a room', 'docs/api.md', 'Rounds are in `core/results`, also `core/results/round`.'],
  ['files of one beginning', 'docs/api.md', 'See `metrics/metrics-*.ts`.'],
  ['a standard', 'src/core/a.ts', '// RFC 9110 15.5.21'],
  ['a specification of others', 'src/core/a.ts', '// Git LFS Specification'],
  ['code', 'src/core/a.ts', "import './decisions.md.ts'"],
  ['a block of code in a document', 'docs/api.md', '```\ncat gone.md\n```\n'],
  ['words with a stroke', 'src/core/a.ts', '// and/or, client/server, http/2'],
]

describe('citations', () => {
  for (const [name, file, text] of loose)
    it(`that resolve to nothing are found: ${name}`, () => {
      assert.equal(looseCitations({ file, text }, shelf).length, 1)
    })
  for (const [name, file, text] of kept)
    it(`that resolve are let be: ${name}`, () => assert.deepEqual(looseCitations({ file, text }, shelf), []))
})
