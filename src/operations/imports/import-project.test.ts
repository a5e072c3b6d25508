import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readAddresses } from '#core/imports/addresses.ts'
import { readBlackbox } from '#core/imports/blackbox/blackbox.ts'
import { readGatus } from '#core/imports/gatus/gatus.ts'
import { readHealthchecks } from '#core/imports/healthchecks.ts'
import type { ImportedFile } from '#core/imports/imported.ts'
import { readKuma } from '#core/imports/kuma/kuma.ts'
import { gatusExample } from '../../../test/support/gatus-example.ts'
import { healthchecksExample } from '../../../test/support/healthchecks-example.ts'
import { kumaExample } from '../../../test/support/kuma-example.ts'
import { settleImport } from './import-project.ts'

const now = new Date('2026-11-26T12:00:00Z')
const settling = { project: 'moved', hidesSecrets: true }

function countsOf({ contacts, monitors, pages, maintenance }: ImportedFile): number {
  return contacts.length + monitors.length + pages.length + maintenance.length
}

describe('an import as a project', () => {
  const examples: [source: string, file: ImportedFile][] = [
    ['Uptime Kuma', readKuma(kumaExample, now)],
    ['Gatus', readGatus(gatusExample)],
    ['Healthchecks', readHealthchecks(JSON.stringify(healthchecksExample))],
  ]
  for (const [source, file] of examples)
    it(`has all that arrives from ${source}, with and without its secrets`, () => {
      const hidden = settleImport(file, settling)
      assert.equal(hidden.project.entries.length, countsOf(file))
      assert.deepEqual(hidden.file.notes, file.notes)
      for (const secret of hidden.secrets.values())
        if (secret.length > 8) assert.ok(!hidden.texts.join('').includes(secret), secret)
      const open = settleImport(file, { ...settling, hidesSecrets: false })
      assert.equal(open.secrets.size, 0)
      const fields = (settled: typeof open) => settled.project.entries.map((entry) => entry.fields)
      assert.deepEqual(fields(hidden), fields(open))
    })

  it('is more than one file where there is much', () => {
    const lines = Array.from({ length: 1_200 }, (_, at) => `https://example.com/${at}`)
    const { texts, project } = settleImport(readAddresses(lines.join('\n')), settling)
    assert.deepEqual([texts.length, project.entries.length], [3, 1_200])
    assert.ok(texts.every((text) => /^project: moved$/m.test(text)))
  })

  it('leaves out what is refused, and what is about nothing else', () => {
    const file = readKuma(
      {
        monitor: [
          { id: 1, name: 'Bad', type: 'http', url: 'http://a b/', active: 1, interval: 60 },
          { id: 2, name: 'Good', type: 'http', url: 'https://good.example/${x}', active: 1, interval: 60, parent: 3 },
          { id: 3, name: 'All', type: 'group', active: 1, interval: 60 },
        ],
        maintenance: [
          { id: 1, title: 'Of bad', strategy: 'recurring-weekday', weekdays: '[1]', active: 1, duration: 3600 },
        ],
        monitor_maintenance: [{ maintenance_id: 1, monitor_id: 1 }],
      },
      now,
    )
    const { project, file: left } = settleImport(file, settling)
    assert.deepEqual(
      project.entries.map(({ section, key, fields }) => [section, key, fields['url'] ?? null]),
      [
        ['monitors', 'good', 'https://good.example/${x}'],
        ['monitors', 'all', null],
      ],
    )
    const lost = left.notes.filter(({ effect }) => effect === 'lost').map(({ place, message }) => `${place} ${message}`)
    assert.ok(
      lost.some((note) => note.startsWith('monitor 1 "Bad" It is not imported. url: ')),
      lost.join('\n'),
    )
  })

  it('keeps a monitor with an expectation that is not taken, without that', () => {
    const module = {
      prober: 'http',
      http: {
        fail_if_body_not_matches_regexp: ['a{900}'],
        fail_if_body_matches_regexp: ['b|c'],
      },
    }
    const long = { prober: 'http', http: { fail_if_body_matches_regexp: ['b|c'.repeat(300)] } }
    const file = readBlackbox([{ modules: { module, long } }, { scrape_configs: [job('module'), job('long')] }])
    const { project, file: settled } = settleImport(file, settling)
    assert.deepEqual(
      project.entries.map(({ fields }) => fields['check_options']),
      [{ absent_pattern: 'b|c', http2: true }, { http2: true }],
    )
    const lost = settled.notes.filter(({ message }) => message.startsWith('A part of what it expects is not imported.'))
    assert.deepEqual(
      lost.map(({ effect, message }) => [effect, message.replace(/^.*imported\. /, '')]),
      [
        [
          'lost',
          'body_pattern: Must not be more than 200 steps long; each repetition counts as often as it is counted.',
        ],
        ['lost', 'absent_pattern: Must have at most 500 characters.'],
      ],
    )
  })

  it('says which jobs need a new address', () => {
    const jobs = ['long-enough-0', 'short', 'long-enough-0'].map((token, at) => {
      return { id: at + 1, name: `Job ${at + 1}`, type: 'push', push_token: token, active: 1, interval: 60 }
    })
    const { calls, file } = settleImport(readKuma({ monitor: jobs }, now), settling)
    assert.deepEqual(calls, [{ monitorKey: 'job-1', path: '/api/push/long-enough-0' }])
    const told = file.notes.map(({ place }) => place)
    assert.deepEqual(told, ['monitor 2 "Job 2"', 'monitor 3 "Job 3"'])
  })

  it('of Healthchecks keeps addresses by slugs where the ping key is given', () => {
    const key = 'fqOOd6-F4MMNuCEnzTU01w'
    const { calls } = settleImport(readHealthchecks(JSON.stringify(healthchecksExample), key), settling)
    assert.deepEqual(
      calls.map(({ path }) => path),
      [
        '/ping/31365bce-8da9-4729-8ff3-aaa71d56b712',
        `/ping/${key}/filesystem-backup`,
        '/ping/803f680d-e89b-492b-82ef-2be7b774a92d',
        `/ping/${key}/database-backup`,
      ],
    )
  })
})

function job(name: string): object {
  return { job_name: name, params: { module: [name] }, static_configs: [{ targets: [`https://${name}.example`] }] }
}
