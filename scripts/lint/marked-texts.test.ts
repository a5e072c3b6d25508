// The rule as oxlint itself applies it, to one file a case.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { findingsOf } from './run-oxlint.ts'

type Case = readonly [name: string, code: string]

const unmarked: readonly Case[] = [
  ['a text between tags', 'export const A = () => <p>Not yet</p>'],
  ['one word between tags', 'export const A = () => <p>yet</p>'],
  ['a text beside an element that is marked', 'export const A = () => <p>Since <Trans>today</Trans></p>'],
  ['a text in an expression within a mark', 'export const A = (b) => <Trans>Is {b && <b>Up</b>}</Trans>'],
  ['a string between tags', "export const A = (b) => <p>{b ? 'Copied' : 'Copy'}</p>"],
  ['a template between tags', 'export const A = (b) => <p>{` · every ${b}`}</p>'],
  ['an attribute', 'export const A = () => <B title="Name" />'],
  ['an attribute in small letters', 'export const A = () => <B hint="if any" />'],
  ['what a screen reader says', 'export const A = (b) => <nav aria-label={`Of ${b}`} />'],
  ['a choice of attributes', "export const A = (b) => <B submit={b ? 'Save' : 'Create'} />"],
  ['a name that is a word', 'export const A = () => <Fact name="Cause" />'],
  ['a label in a constant', "export const a = [{ value: 'x', label: 'lifetime' }]"],
  ['a word of a table', "export const a = { down: 'Down' }"],
  ['words of a list', "export const a = ['State', 'Trend']"],
  ['a message of an error that people see', "throw new ApiError({ status: 0, message: 'It failed.' })"],
  ['a sentence in a call', "toast('It is gone.')"],
  ['a question with a name', 'export const a = (b) => c(`Delete ${b}?`)'],
  ['a word that a function gives', "export function a() { return 'Never' }"],
  ['small words that a function gives', "export function a() { return 'just now' }"],
  ['a word that stands where nothing is given', "export function a({ label = 'Close' }) { return label }"],
  ['a word in a function within a message', "export const a = (b) => t`All ${b.map(() => 'Much more')}`"],
]

const early: readonly Case[] = [
  ['a message in a constant', 'export const a = t`Name`'],
  ['a message in a table', "export const a = { b: plural(2, { one: '# day', other: '# days' }) }"],
  ['a descriptor that is shown', 'export const a = i18n._(msg`Name`)'],
  ['the language', "export const a = new Intl.ListFormat(i18n.locale, { type: 'unit' })"],
]

const right: readonly Case[] = [
  ['a marked text', 'export const A = (b) => <Trans>Since <b>{b}</b>, and <i>no longer</i></Trans>'],
  ['a number of things', 'export const A = (b) => <Plural value={b} one="# day" other={<><b>#</b> days</>} />'],
  ['a message', "export const A = (b) => <B title={t`Delete ${b}?`} hint={b ? t`Yes` : t({ message: 'No' })} />"],
  ['a message of several forms', 'export const a = (b) => plural(b, { one: `One of ${b}`, other: `# of ${b}` })'],
  ['a constant', "export const a = { label: msg`Name`, title: msg({ message: 'Name', context: 'of a phase' }) }"],
  ['the language, once it is asked for', 'export const a = () => i18n._(b) + i18n.locale'],
  ['classes', "export const A = (b) => <p className={b ? 'flex w-full text-sm' : 'hidden'} />"],
  ['classes in a constant', "const dot = 'size-2 rounded-full'; export const a = { up: 'bg-good text-good', dot }"],
  [
    'what fields and pages are called',
    'export const A = () => <Link to="/monitors" name="url" type="search" id="a" />',
  ],
  ['values that are compared', "export const A = (b) => <B isOpen={b === 'open'} onClick={() => c('delete')} />"],
  ['signs, figures, units and names', 'export const A = (b) => <p>{b} ms · 95 % (UTC) <b>Perigee</b></p>'],
  ['addresses and examples of them', "export const a = { title: 'https://example.com/of/it', text: 'a@example.com' }"],
  ['headers', 'export const a = (b) => ({ Authorization: `Payment ${b}` })'],
  ['errors of a bug', "export function a() { throw new Error('There is none of it.') }"],
  ['keys of what is read', 'export const a = (b) => useRead(`posts of ${b}`, c)'],
  ['types', "export type A = 'Up' | 'Down'"],
  ['modules', "import { a } from './Of this.ts'; export { a }"],
]

describe('perigee/marked-texts', () => {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-lint-'))
  let found = new Map<string, string[]>()
  before(() => {
    for (const [name, code] of [...unmarked, ...early, ...right]) writeFileSync(join(folder, fileOf(name)), code)
    found = findingsOf('marked-texts', folder)
  })
  after(() => rmSync(folder, { recursive: true }))

  for (const [name] of unmarked)
    it(`finds ${name}`, () => assert.match(found.get(fileOf(name))?.join() ?? '', /^Not marked for translation/))
  for (const [name] of early)
    it(`finds ${name}, too early`, () => assert.match(found.get(fileOf(name))?.join() ?? '', /^Asked before/))
  for (const [name] of right) it(`lets be ${name}`, () => assert.equal(found.get(fileOf(name)), undefined))
})

function fileOf(name: string): string {
  return `${name.replaceAll(/\W+/g, '-')}.tsx`
}
