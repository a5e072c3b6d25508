// What the readers of core/imports make of the files of other tools is what the kinds of monitors and contacts take.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { contactKinds } from '#contacts/index.ts'
import { isContactKindName } from '#core/contacts/contact-kinds.ts'
import { readHealthchecks } from '#core/imports/healthchecks.ts'
import { readHar } from '#core/imports/har/har.ts'
import type { ImportedFile, ImportedMonitor } from '#core/imports/imported.ts'
import { readAddresses } from '#core/imports/addresses.ts'
import { readBlackbox } from '#core/imports/blackbox/blackbox.ts'
import { readGatus } from '#core/imports/gatus/gatus.ts'
import { readOpenapi } from '#core/imports/openapi/openapi.ts'
import { readPostman } from '#core/imports/postman/postman.ts'
import { readKuma } from '#core/imports/kuma/kuma.ts'
import { readUptimeRobot } from '#core/imports/uptimerobot/uptimerobot.ts'
import { usualKind } from '#core/monitors/kind-traits.ts'
import { kinds } from '#kinds/index.ts'
import { parseTypedYaml } from '#manifests/yaml.ts'
import { blackboxExample } from './support/blackbox-example.ts'
import { gatusExample } from './support/gatus-example.ts'
import { harExample } from './support/har-example.ts'
import { healthchecksExample } from './support/healthchecks-example.ts'
import { kumaExample } from './support/kuma-example.ts'
import { openapiExample } from './support/openapi-example.ts'
import { postmanExample } from './support/postman-example.ts'
import { uptimeRobotExample } from './support/uptimerobot-example.ts'

const now = new Date('2026-11-26T12:00:00Z')
const isForbidden = (): boolean => false
const anyId = '00000000-0000-4000-8000-000000000000'

const files: readonly (readonly [source: string, read: () => ImportedFile])[] = [
  ['Uptime Kuma', () => readKuma(kumaExample, now)],
  ['Gatus', () => readGatus(gatusExample)],
  ['UptimeRobot', () => readUptimeRobot(JSON.stringify(uptimeRobotExample), now)],
  ['Healthchecks', () => readHealthchecks(JSON.stringify(healthchecksExample))],
  ['blackbox_exporter', () => readBlackbox(blackboxExample)],
  ['a recording', () => readHar(harExample, (host) => host)],
  ['Postman', () => readPostman([postmanExample('https://shop.example.com')])],
  ['OpenAPI', () => readOpenapi(parseTypedYaml(openapiExample))],
  ['a list', () => readAddresses('https://example.com/\nexample.com\ndb.example.com:5432\n2001:db8::1\n')],
]

for (const [source, read] of files)
  describe(`what arrives from ${source}`, () => {
    const file = read()

    it('is a monitor that its kind takes', () => {
      assert.notEqual(file.monitors.length, 0)
      for (const monitor of file.monitors) assert.equal(problemOf(monitor), null, monitor.key)
    })

    it('is a contact that its kind takes', () => {
      for (const { key, input } of file.contacts) {
        assert.ok(isContactKindName(input.kind), key)
        const kind = contactKinds[input.kind]
        const options = kind.options.safeParse(input.options ?? {})
        assert.deepEqual(options.error?.issues ?? [], [], key)
        assert.deepEqual(kind.optionProblems(options.data ?? {}, isForbidden), {}, key)
        assert.equal(kind.destinationProblem(input.destination, isForbidden), null, key)
      }
    })

    it('names only what arrives', () => {
      const monitors = new Set(file.monitors.map(({ key }) => key))
      const contacts = new Set(file.contacts.map(({ key }) => key))
      const named = [
        ...file.monitors.flatMap(({ input }) => [...(input.depends_on ?? []), ...membersOf(input.check_options)]),
        ...file.pages
          .flatMap(({ input }) => input.sections ?? [])
          .flatMap((section) => section.monitors ?? [])
          .map((shown) => shown.monitor_id),
        ...file.maintenance.flatMap(({ input }) => input.monitor_ids ?? []),
        ...file.heartbeats.map(({ monitorKey }) => monitorKey),
      ]
      assert.deepEqual(
        named.filter((key) => !monitors.has(key)),
        [],
      )
      assert.deepEqual(
        file.monitors.flatMap(({ input }) => input.contacts ?? []).filter((key) => !contacts.has(key)),
        [],
      )
    })
  })

function membersOf(options: Readonly<Record<string, unknown>> | undefined): string[] {
  const members = options?.['member_ids']
  return Array.isArray(members) ? members.map(String) : []
}

function problemOf({ input }: ImportedMonitor): string | null {
  const kind = kinds[input.kind ?? usualKind]
  const members = membersOf(input.check_options).map(
    (_, index) => `${anyId.slice(0, -4)}${String(index).padStart(4, '0')}`,
  )
  const given = { ...input.check_options, ...(members.length === 0 ? {} : { member_ids: members }) }
  const options = kind.options.safeParse(given)
  return options.success ? kind.targetProblem(input.url ?? '', isForbidden) : options.error.message
}
